package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// projecting returns a database whose table has indexes that do not project all attributes.
func projecting(t *testing.T) *store.DB {
	t.Helper()
	db := newDB(t, row("p", "1", value.Attribute{Name: "a", Value: value.String("a")}))
	require.NoError(t, db.Update(func(s *store.State) error {
		for _, ix := range []*store.Index{
			{Name: "localKeys", Local: true, Key: sources["local"], Projection: store.Projection{Type: "KEYS_ONLY"}},
			{Name: "some", Key: sources["byText"], Projection: store.Projection{Type: "INCLUDE", Names: []string{"i"}}},
		} {
			s.Tables[tableName].AddIndex(ix)
		}
		return nil
	}))
	return db
}

// queryOf returns a query of the partition p of the table, changed by f.
func queryOf(f func(*api.QueryInput)) *api.QueryInput {
	in := &api.QueryInput{TableName: tableName, KeyConditionExpression: pointer("pk = :p")}
	in.ExpressionAttributeValues = map[string]value.Value{":p": value.String("p")}
	f(in)
	return in
}

// condition sets a key condition with its values: alternating placeholders and values.
func condition(index, text string, values ...any) func(*api.QueryInput) {
	return func(in *api.QueryInput) {
		if index != "" {
			in.IndexName = &index
		}
		in.KeyConditionExpression = &text
		in.ExpressionAttributeValues = map[string]value.Value{}
		for i := 0; i < len(values); i += 2 {
			in.ExpressionAttributeValues[values[i].(string)] = values[i+1].(value.Value)
		}
	}
}

func start(f func(*api.QueryInput), attributes ...value.Attribute) func(*api.QueryInput) {
	return func(in *api.QueryInput) {
		f(in)
		in.ExclusiveStartKey = value.MapOf(attributes...)
	}
}

// TestErrorsOfQueries checks the error messages.
func TestErrorsOfQueries(t *testing.T) {
	t.Parallel()
	db := projecting(t)
	p, x, one := value.String("p"), value.String("x"), number("1")
	at := func(name string, v value.Value) value.Attribute { return value.Attribute{Name: name, Value: v} }
	ofTable := condition("", "pk = :p", ":p", p)
	const wrongType = "One or more parameter values were invalid: Condition parameter type does not match schema type"
	for _, c := range []struct {
		change  func(*api.QueryInput)
		message string
	}{
		{func(in *api.QueryInput) { in.KeyConditionExpression, in.ExpressionAttributeValues = nil, nil }, "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
		{condition("", "sk = :n", ":n", one), "Query condition missed key schema element: pk"},
		{condition("", "pk > :p", ":p", p), "Query key condition not supported"},
		{condition("", "pk = :p AND x = :p", ":p", p), "Query condition missed key schema element: sk"},
		{condition("", "pk = :p AND sk > :n AND x = :p", ":p", p, ":n", one), "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)"},
		{condition("", "pk = :p AND sk > :n AND sk < :n", ":p", p, ":n", one), "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key"},
		{condition("", "pk = :p AND sk.a = :p", ":p", p), "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes"},
		{condition("", "pk = :n", ":n", one), wrongType},
		{condition("", "pk = :p AND sk > :p", ":p", p), wrongType},
		{condition("several", "a = :p", ":p", p), "HASH key attributes b must have equality conditions specified in the query"},
		{condition("several", "pk = :p", ":p", p), "HASH key attributes a, b must have equality conditions specified in the query"},
		{
			condition("several", "a > :p AND b = :b", ":p", p, ":b", value.Binary("b")),
			"HASH key attributes a must have equality conditions specified in the query",
		},
		{
			condition("several", "a = :p AND b = :b AND pk = :p", ":p", p, ":b", value.Binary("b")),
			"RANGE key attributes sk must have equality conditions specified in the query because a condition is present on key attribute pk",
		},
		{
			condition("several", "a = :p AND b = :b AND sk > :n AND pk = :p", ":p", p, ":b", value.Binary("b"), ":n", one),
			"RANGE key attributes sk must have equality conditions specified in the query because a condition is present on key attribute pk",
		},
		{condition("nothing", "pk = :p", ":p", p), "The table does not have the specified index: nothing"},
		{func(in *api.QueryInput) {
			condition("byText", "a = :p", ":p", p)(in)
			in.ConsistentRead = true
		}, "Consistent reads are not supported on global secondary indexes"},
		{func(in *api.QueryInput) { in.FilterExpression = pointer("x = :p AND sk > :p") }, "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"},
		{func(in *api.QueryInput) {
			condition("some", "a = :p", ":p", p)(in)
			in.FilterExpression = pointer("w = :p AND u.v = :p OR i = :p OR size(u) = :p")
		}, "One or more parameter values were invalid: Secondary index some does not project one or more filter attributes: [u, w]"},
		{func(in *api.QueryInput) {
			condition("localKeys", "pk = :p", ":p", p)(in)
			in.FilterExpression = pointer("u = :p")
		}, "One or more parameter values were invalid: Secondary index localKeys does not project one or more filter attributes: [u]"},
		{func(in *api.QueryInput) {
			condition("some", "a = :p", ":p", p)(in)
			in.ProjectionExpression = pointer("w, i, u.v, pk")
		}, "One or more parameter values were invalid: Global secondary index some does not project [u, w]"},
		{func(in *api.QueryInput) {
			condition("some", "a = :p", ":p", p)(in)
			in.Select = "ALL_ATTRIBUTES"
		}, "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index some because its projection type is not ALL"},
		{func(in *api.QueryInput) { in.Select = "SPECIFIC_ATTRIBUTES" }, "One or more parameter values were invalid: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"},
		{func(in *api.QueryInput) { in.Select = "ALL_PROJECTED_ATTRIBUTES" }, "One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
		{func(in *api.QueryInput) { in.Select, in.ProjectionExpression = "COUNT", pointer("x") }, "Cannot specify the ProjectionExpression when choosing to get COUNT"},
		{start(ofTable, at("pk", p)), "The provided starting key is invalid"},
		{start(ofTable, at("pk", p), at("x", one)), "The provided starting key is invalid: The provided key element does not match the schema"},
		{start(ofTable, at("pk", p), at("sk", x)), "The provided starting key is invalid: The provided key element does not match the schema"},
		{start(condition("byText", "a = :p", ":p", p), at("pk", p), at("sk", one)), "The provided starting key is invalid"},
		{start(condition("byText", "a = :p", ":p", p), at("pk", p), at("sk", one), at("a", one)), "The provided starting key is invalid"},
		{start(ofTable, at("pk", x), at("sk", one)), "The provided starting key is outside query boundaries based on provided condition"},
		{start(condition("", "pk = :p AND sk > :n", ":p", p, ":n", one), at("pk", p), at("sk", one)), "The provided starting key is outside query boundaries based on provided condition"},
		{start(condition("byText", "a = :p", ":p", p), at("pk", p), at("sk", one), at("a", x)), "The provided starting key is outside query boundaries based on provided condition"},
	} {
		out, err := Query(call(db, engine.Overrides{}), queryOf(c.change))
		require.Nil(t, out)
		requireServiceError(t, c.message, err)
	}
	_, err := Query(call(db, engine.Overrides{}), queryOf(func(in *api.QueryInput) { in.TableName = "nothing" }))
	var refusal *awserr.Error
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, awserr.CodeResourceNotFound, refusal.Code)
}

// TestErrorsOfScans checks the error messages.
func TestErrorsOfScans(t *testing.T) {
	t.Parallel()
	db := projecting(t)
	one, two := pointer(int64(1)), pointer(int64(2))
	elsewhere, _ := store.SegmentRange(1, 2)
	outside := "a"
	for i := 'a'; sources[""].Place(row(outside, "1")) >= elsewhere; i++ {
		outside = string(i)
	}
	for _, c := range []struct {
		change  func(*api.ScanInput)
		message string
	}{
		{func(in *api.ScanInput) { in.Segment = one }, "The TotalSegments parameter is required but was not present in the request when Segment parameter is present"},
		{func(in *api.ScanInput) { in.TotalSegments = one }, "The Segment parameter is required but was not present in the request when parameter TotalSegments is present"},
		{func(in *api.ScanInput) { in.Segment, in.TotalSegments = two, two }, "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than TotalSegments: 2"},
		{func(in *api.ScanInput) { in.IndexName = pointer("nothing") }, "The table does not have the specified index: nothing"},
		{func(in *api.ScanInput) { in.IndexName, in.ConsistentRead = pointer("byText"), true }, "Consistent reads are not supported on global secondary indexes"},
		{func(in *api.ScanInput) { in.ExpressionAttributeNames = map[string]string{"#a": "a"} }, "ExpressionAttributeNames can only be specified when using expressions"},
		{func(in *api.ScanInput) {
			in.ExclusiveStartKey = value.MapOf(value.Attribute{Name: "pk", Value: value.String("p")})
		}, "The provided starting key is invalid"},
		{func(in *api.ScanInput) {
			in.Segment, in.TotalSegments, in.ExclusiveStartKey = one, two, row(outside, "1")
		}, "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 1"},
	} {
		in := &api.ScanInput{TableName: tableName}
		c.change(in)
		out, err := Scan(call(db, engine.Overrides{}), in)
		require.Nil(t, out)
		requireServiceError(t, c.message, err)
	}
}

// TestErrorsOfStatements checks the error messages that differ from those of a Query and a Scan.
func TestErrorsOfStatements(t *testing.T) {
	t.Parallel()
	db := projecting(t)
	for _, c := range []struct{ index, message string }{
		{"nothing", "The table does not have the specified index"},
		{"byText", "Strongly consistent read is not supported on Global Secondary Indexes"},
	} {
		st := Statement{TableName: tableName, Index: &c.index, Consistent: true}
		out, err := Select(call(db, engine.Overrides{}), st, "", nil)
		require.Nil(t, out)
		requireServiceError(t, c.message, err)
	}
}

// TestAScanFiltersTheEntriesOfItsIndex scans indexes with a filter on an attribute that they do not
// project. Only requested attributes are fetched from the table.
func TestAScanFiltersTheEntriesOfItsIndex(t *testing.T) {
	t.Parallel()
	db := projecting(t)
	v := value.Attribute{Name: "v", Value: value.String(strings.Repeat("v", 5000))}
	require.NoError(t, db.Update(func(s *store.State) error {
		s.Put(s.Tables[tableName], row("p", "1", value.Attribute{Name: "a", Value: value.String("a")}, v))
		return nil
	}))
	in := &api.ScanInput{TableName: tableName, FilterExpression: pointer("attribute_exists(v)"), ReturnConsumedCapacity: "INDEXES"}
	for _, index := range []string{"localKeys", "some"} {
		in.IndexName = &index
		out, err := Scan(call(db, engine.Overrides{}), in)
		require.NoError(t, err)
		require.Empty(t, out.Items, index)
		require.Equal(t, 1, out.ScannedCount)
		require.InDelta(t, 0.5, *out.ConsumedCapacity.CapacityUnits, 0, "of the index")
	}
	in.IndexName, in.FilterExpression, in.ProjectionExpression = pointer("localKeys"), pointer("attribute_exists(a)"), pointer("v")
	out, err := Scan(call(db, engine.Overrides{}), in)
	require.NoError(t, err)
	require.Equal(t, []value.Map{{v}}, out.Items, "the control: a requested attribute is fetched")
	require.InDelta(t, 1.5, *out.ConsumedCapacity.CapacityUnits, 0, "half a unit of the index, and one of the row")
}
