package table

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// TestCreateRejectsKeys checks the error messages for invalid keys.
func TestCreateRejectsKeys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		schema  []api.KeySchemaElement
		defined []api.AttributeDefinition
		want    string
	}{
		{"more keys than definitions", key(by("a"), "a"), texts("a"), "Invalid KeySchema: Some index key attribute have no definition"},
		{"no definitions", key(by("a")), nil, "Invalid KeySchema: Some index key attribute have no definition"},
		{"undefined", key(by("a")), texts("b"), invalidValues +
			"Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [b]"},
		{"one name twice", key(by("a"), "a"), texts("a", "b"), "Both the Hash Key and the Range Key element in the KeySchema have the same name"},
		{"no HASH", key(nil, "a", "b"), texts("a", "b"), "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"two HASH", key(by("a", "b")), texts("a", "b"), "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
		{"unused definition", key(by("a")), texts("a", "b"), invalidValues +
			"Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"},
		{"defined twice", key(by("a")), texts("a", "a"), "Attribute Name is duplicated: a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			in := &api.CreateTableInput{TableName: "tab", AttributeDefinitions: test.defined, KeySchema: test.schema, BillingMode: payPerRequest}
			_, err := Create(newCall(), in)
			requireServiceError(t, err, awserr.CodeValidation, test.want)
		})
	}
}

// TestCreateRejectsLocalIndexes checks invalid local indexes of a table with the key a and b.
func TestCreateRejectsLocalIndexes(t *testing.T) {
	t.Parallel()
	six := make([]api.LocalSecondaryIndex, 6)
	for i := range six {
		six[i] = local(fmt.Sprint("index", i), key(by("a"), "b"))
	}
	for _, test := range []struct {
		name    string
		indexes []api.LocalSecondaryIndex
		want    string
	}{
		{"none", []api.LocalSecondaryIndex{}, invalidValues + "List of LocalSecondaryIndexes is empty"},
		{"undefined", []api.LocalSecondaryIndex{local("abc", key(by("a"), "c"))}, invalidValues +
			"Some index key attributes are not defined in AttributeDefinitions. Keys: [a, c], AttributeDefinitions: [a, b]"},
		{"no HASH", []api.LocalSecondaryIndex{local("abc", key(nil, "a"))}, "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"no RANGE", []api.LocalSecondaryIndex{local("abc", key(by("b")))}, invalidValues + "Index KeySchema does not have a range key for index: abc"},
		{"other partition", []api.LocalSecondaryIndex{local("abc", key(by("b"), "a"))}, invalidValues +
			"Index KeySchema does not have the same leading hash key as table KeySchema for index: abc. index hash key: b, table hash key: a"},
		{"same name", []api.LocalSecondaryIndex{local("abc", key(by("a"), "b")), local("abc", key(by("a"), "b"))}, invalidValues +
			"Duplicate index name: abc"},
		{"too many", six, invalidValues + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			in := simple("tab")
			in.LocalSecondaryIndexes = test.indexes
			_, err := Create(newCall(), in)
			requireServiceError(t, err, awserr.CodeValidation, test.want)
		})
	}
	in := simple("tab")
	in.KeySchema, in.LocalSecondaryIndexes = key(by("a")), six[:1]
	_, err := Create(newCall(), in)
	requireServiceError(t, err, awserr.CodeValidation, invalidValues+
		"Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
}

// TestCreateRejectsGlobalIndexes checks invalid global indexes of a table with the key a and b.
func TestCreateRejectsGlobalIndexes(t *testing.T) {
	t.Parallel()
	many := make([]api.GlobalSecondaryIndex, 21)
	for i := range many {
		many[i] = global(fmt.Sprint("index", i), key(by("a")))
	}
	interleaved := append(key(by("a"), "b"), key(by("c"))...)
	for _, test := range []struct {
		name    string
		schema  []api.KeySchemaElement
		defined []api.AttributeDefinition
		want    string
	}{
		{"undefined", key(by("a"), "c"), texts("a", "b"), invalidValues +
			"Some index key attributes are not defined in AttributeDefinitions. Keys: [a, c], AttributeDefinitions: [a, b]"},
		{"one name as both", key(by("a"), "a"), texts("a", "b"), "Both the Hash Key and the Range Key element in the KeySchema have the same name"},
		{"one name twice", key(by("a", "a")), texts("a", "b"), "The KeySchema contains multiple key attributes with the same name"},
		{"one name as both of several", key(by("a", "b"), "a"), texts("a", "b"), "The KeySchema contains multiple key attributes with the same name"},
		{"no HASH", key(nil, "a", "b"), texts("a", "b"), "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"HASH behind RANGE", interleaved, texts("a", "b", "c"), invalidValues +
			"All HASH key attributes must precede RANGE key attributes in the KeySchema"},
		{"five HASH", key(by("a", "b", "c", "d", "e")), texts("a", "b", "c", "d", "e"),
			invalidValues + "The KeySchema exceeds the maximum allowed number of HASH key attributes"},
		{"five RANGE", key(by("a"), "b", "c", "d", "e", "f"), texts("a", "b", "c", "d", "e", "f"),
			invalidValues + "The KeySchema exceeds the maximum allowed number of RANGE key attributes"},
		{"unused definition", key(by("b")), texts("a", "b", "c"), invalidValues +
			"Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			in := simple("tab")
			in.AttributeDefinitions = test.defined
			in.GlobalSecondaryIndexes = []api.GlobalSecondaryIndex{global("abc", test.schema)}
			_, err := Create(newCall(), in)
			requireServiceError(t, err, awserr.CodeValidation, test.want)
		})
	}
	for name, test := range map[string]struct {
		indexes []api.GlobalSecondaryIndex
		want    string
	}{
		"none":      {[]api.GlobalSecondaryIndex{}, "List of GlobalSecondaryIndexes is empty"},
		"same name": {[]api.GlobalSecondaryIndex{many[1], many[1]}, "Duplicate index name: index1"},
		"too many":  {many, "GlobalSecondaryIndex count exceeds the per-table limit of 20"},
	} {
		in := simple("tab")
		in.GlobalSecondaryIndexes = test.indexes
		_, err := Create(newCall(), in)
		require.Error(t, err, name)
		requireServiceError(t, err, awserr.CodeValidation, invalidValues+test.want)
	}
	in := simple("tab")
	in.LocalSecondaryIndexes = []api.LocalSecondaryIndex{local("index1", key(by("a"), "b"))}
	in.GlobalSecondaryIndexes = many[1:2]
	_, err := Create(newCall(), in)
	requireServiceError(t, err, awserr.CodeValidation, invalidValues+"Duplicate index name: index1")
}

// TestCreateRejectsProjections checks invalid projections.
func TestCreateRejectsProjections(t *testing.T) {
	t.Parallel()
	names := func(n int) (s []string) {
		for i := range n {
			s = append(s, fmt.Sprint("attribute", i))
		}
		return s
	}
	six := make([]*api.Projection, 6)
	for i := range six {
		six[i] = &api.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: names(17)}
	}
	for _, test := range []struct {
		name        string
		projections []*api.Projection
		want        string
	}{
		{"no type", []*api.Projection{{}}, "Unknown ProjectionType: null"},
		{"names with ALL", []*api.Projection{{ProjectionType: "ALL", NonKeyAttributes: names(1)}},
			"ProjectionType is ALL, but NonKeyAttributes is specified"},
		{"names with KEYS_ONLY", []*api.Projection{{ProjectionType: "KEYS_ONLY", NonKeyAttributes: names(1)}},
			"ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"},
		{"no names with INCLUDE", []*api.Projection{{ProjectionType: "INCLUDE"}}, "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
		{"one name twice", []*api.Projection{{ProjectionType: "INCLUDE", NonKeyAttributes: by("c", "c")}}, "Duplicate element in NonKeyAttributes: c"},
		{"too many names", six, "Number of NonKeyAttributes of all indexes exceeds per-table limit of 100"},
	} {
		in := simple("tab")
		for i, p := range test.projections {
			ix := global(fmt.Sprint("index", i), key(by("b")))
			ix.Projection = p
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, ix)
		}
		_, err := Create(newCall(), in)
		require.Error(t, err, test.name)
		requireServiceError(t, err, awserr.CodeValidation, invalidValues+test.want)
	}
}

// TestCreateRejectsOtherMembers checks the errors of other members. Those of the throughput come
// first.
func TestCreateRejectsOtherMembers(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	tags := make([]api.Tag, 51)
	for i := range tags {
		tags[i] = tag(fmt.Sprint("key", i), "")
	}
	for _, test := range []struct {
		name   string
		change func(*api.CreateTableInput)
		want   string
	}{
		{"units on demand", func(in *api.CreateTableInput) { in.ProvisionedThroughput, in.AttributeDefinitions = units(1, 1), nil },
			invalidValues + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"no units", func(in *api.CreateTableInput) { in.BillingMode = "" },
			invalidValues + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{"units of an index on demand", func(in *api.CreateTableInput) {
			in.GlobalSecondaryIndexes = []api.GlobalSecondaryIndex{global("abc", key(by("b")))}
			in.GlobalSecondaryIndexes[0].ProvisionedThroughput = units(1, 1)
		}, invalidValues + "ProvisionedThroughput should not be specified for index: abc when BillingMode is PAY_PER_REQUEST"},
		{"no units of an index", func(in *api.CreateTableInput) {
			in.BillingMode, in.ProvisionedThroughput = provisioned, units(1, 1)
			in.GlobalSecondaryIndexes = []api.GlobalSecondaryIndex{global("abc", key(by("b")))}
		}, invalidValues + "ProvisionedThroughput must be specified for index: abc"},
		{"stream without view", func(in *api.CreateTableInput) { in.StreamSpecification = &api.StreamSpecification{StreamEnabled: &yes} },
			invalidValues + "StreamViewType must not be null or empty when enabling streams"},
		{"view without stream", func(in *api.CreateTableInput) {
			in.StreamSpecification = &api.StreamSpecification{StreamEnabled: &no, StreamViewType: "NEW_IMAGE"}
		}, invalidValues + "StreamEnabled was false but a StreamViewType was present"},
		{"too many tags", func(in *api.CreateTableInput) { in.Tags = tags }, invalidValues + "The number of tags exceeds the limit of 50 for a resource"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, in := newCall(), simple("tab")
			test.change(in)
			_, err := Create(c, in)
			requireServiceError(t, err, awserr.CodeValidation, test.want)
			_, err = Describe(c, &api.TableInput{TableName: "tab"})
			requireServiceError(t, err, awserr.CodeResourceNotFound, "Requested resource not found: Table: tab not found")
		})
	}
}

// TestCreateRejectsExistingNames creates a table twice, by its name and by its ARN.
func TestCreateRejectsExistingNames(t *testing.T) {
	t.Parallel()
	c := newCall()
	out, err := Create(c, simple("tab"))
	require.NoError(t, err)
	for _, name := range []string{"tab", out.TableDescription.TableArn} {
		_, err = Create(c, simple(name))
		requireServiceError(t, err, awserr.CodeResourceInUse, "Table already exists: tab")
	}
}
