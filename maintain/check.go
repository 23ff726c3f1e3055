package maintain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/table"
)

// Check compares the schema with the real table: keys and their types, indexes, projections and
// time to live. It returns an [*Error] that lists every difference, with a request that creates
// each missing global index. It sends one DescribeTable, and one DescribeTimeToLive if the schema
// has a TTL attribute. It ignores an index that the schema does not declare. The keys and the local
// indexes of a table cannot be changed: such a difference requires a new table.
func Check(ctx context.Context, t *entity.Table) error {
	of, client, err := described(t, checkName)
	if err != nil {
		return err
	}
	name, ttl := &of.Config.Table, of.Schema.TTL
	d := drift{schema: of.Schema, table: *name, types: map[string]types.ScalarAttributeType{}}
	err = exec.OnTable(ctx, of.Config, checkName, false, func(ctx context.Context, c *exec.Call) error {
		got, err := exec.Read(ctx, c, client.DescribeTable, &dynamodb.DescribeTableInput{TableName: name})
		if err != nil {
			return err
		}
		d.compare(table.Definition(of.Schema, *name), got.Table)
		if ttl == "" {
			return nil
		}
		described, err := exec.Read(ctx, c, client.DescribeTimeToLive, &dynamodb.DescribeTimeToLiveInput{TableName: name})
		if err == nil {
			d.timeToLive(ttl, described.TimeToLiveDescription)
		}
		return err
	})
	if err != nil {
		return err
	}
	return d.err(checkName)
}

// describeClient has the calls that Check needs beyond those of trestle.Client.
type describeClient interface {
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	DescribeTimeToLive(context.Context, *dynamodb.DescribeTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error)
}

// described returns the content of a table, and its client if that can describe tables.
func described(t *entity.Table, operation string) (hooks.Table, describeClient, error) {
	of, err := tableOf(t, operation, trestle.NoWrite)
	if err != nil {
		return of, nil, err
	}
	client, ok := of.Config.Client.(describeClient)
	if !ok {
		err = invalid(of, operation, errs.New("", "the client cannot describe tables", "open the schema on a *dynamodb.Client"))
	}
	return of, client, err
}

// invalid returns the error of a check that sends nothing.
func invalid(of hooks.Table, operation string, err error) error {
	e := &trestle.OpError{Op: operation, Table: of.Config.Table, Outcome: trestle.NoWrite}
	e.Kind, e.Err = errs.Classify(err)
	return e
}

// drift collects differences.
type drift struct {
	schema *core.Schema
	table  string // its name
	found  []Problem
	// types has the types of the real table's key attributes.
	types map[string]types.ScalarAttributeType
}

func (d *drift) add(format string, args ...any) {
	d.found = append(d.found, Problem{Kind: TableDiffers, Text: fmt.Sprintf(format, args...)})
}

// err returns an *Error with the differences, or nil if there are none.
func (d *drift) err(operation string) error {
	if len(d.found) == 0 {
		return nil
	}
	return &Error{Op: operation, Table: d.table, Problems: d.found}
}

func (d *drift) compare(want *dynamodb.CreateTableInput, got *types.TableDescription) {
	if got == nil {
		d.add("the service does not describe the table")
		return
	}
	if got.TableStatus != types.TableStatusActive && got.TableStatus != types.TableStatusUpdating {
		d.add("the table is %s", got.TableStatus)
	}
	for _, a := range got.AttributeDefinitions {
		d.types[*a.AttributeName] = a.AttributeType
	}
	d.keys("the table", want.KeySchema, got.KeySchema)
	for _, a := range want.AttributeDefinitions {
		if is, ok := d.types[*a.AttributeName]; ok && is != a.AttributeType {
			d.add("key attribute %s: the schema has type %s, the table %s", *a.AttributeName, a.AttributeType, is)
		}
	}
	for _, x := range want.GlobalSecondaryIndexes {
		d.index("global", *x.IndexName, x.KeySchema, x.Projection, globalIndexes(got))
	}
	for _, x := range want.LocalSecondaryIndexes {
		d.index("local", *x.IndexName, x.KeySchema, x.Projection, localIndexes(got))
	}
}

func (d *drift) keys(where string, want, got []types.KeySchemaElement) {
	same := func(a, b types.KeySchemaElement) bool {
		return *a.AttributeName == *b.AttributeName && a.KeyType == b.KeyType
	}
	if !slices.EqualFunc(want, got, same) {
		d.add("%s: the schema has the key %s, the table %s", where, keyText(want), keyText(got))
	}
}

func keyText(ks []types.KeySchemaElement) string {
	parts := make([]string, len(ks))
	for i, k := range ks {
		parts[i] = fmt.Sprintf("%s %s", *k.AttributeName, k.KeyType)
	}
	return strings.Join(parts, ", ")
}

// indexDescription holds the properties that global and local indexes share.
type indexDescription struct {
	keys       []types.KeySchemaElement
	projection *types.Projection
	status     types.IndexStatus // empty for a local index
}

func globalIndexes(t *types.TableDescription) map[string]indexDescription {
	m := map[string]indexDescription{}
	for _, x := range t.GlobalSecondaryIndexes {
		m[*x.IndexName] = indexDescription{x.KeySchema, x.Projection, x.IndexStatus}
	}
	return m
}

func localIndexes(t *types.TableDescription) map[string]indexDescription {
	m := map[string]indexDescription{}
	for _, x := range t.LocalSecondaryIndexes {
		m[*x.IndexName] = indexDescription{keys: x.KeySchema, projection: x.Projection}
	}
	return m
}

func (d *drift) index(kind, name string, keys []types.KeySchemaElement, p *types.Projection, there map[string]indexDescription) {
	got, ok := there[name]
	if !ok {
		p := Problem{Kind: TableDiffers, Text: kind + " index " + name + ": the table does not have it"}
		if x := indexOf(d.schema, name); x != nil && x.Kind != trestle.LocalIndex { // a local one cannot be created
			p.Kind, p.Input = IndexMissing, createIndex(d.table, x)
		}
		d.found = append(d.found, p)
		return
	}
	where := kind + " index " + name
	d.keys(where, keys, got.keys)
	if actual := d.withoutKeys(name, got.projection); !sameProjection(p, actual) {
		d.add("%s: the schema projects %s, the table %s", where, projectionText(p), projectionText(actual))
	}
	if got.status != "" && got.status != types.IndexStatusActive {
		d.add("%s is %s", where, got.status)
	}
}

// withoutKeys returns a projection of the real table without keys among its included attributes,
// as the schema has it.
func (d *drift) withoutKeys(index string, p *types.Projection) *types.Projection {
	x := indexOf(d.schema, index)
	if x == nil || p == nil || p.ProjectionType != types.ProjectionTypeInclude {
		return p
	}
	own := x.NonKeys(d.schema, p.NonKeyAttributes)
	if len(own) == 0 {
		return &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
	}
	return &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: own}
}

// sameProjection reports whether two projections have the same attributes, in any order.
func sameProjection(a, b *types.Projection) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ProjectionType == b.ProjectionType && slices.Equal(slices.Sorted(slices.Values(a.NonKeyAttributes)), slices.Sorted(slices.Values(b.NonKeyAttributes)))
}

func projectionText(p *types.Projection) string {
	if p == nil {
		return "nothing"
	}
	names := slices.Sorted(slices.Values(p.NonKeyAttributes))
	return strings.TrimSpace(string(p.ProjectionType) + " " + strings.Join(names, " "))
}

func (d *drift) timeToLive(want string, ttl *types.TimeToLiveDescription) {
	switch {
	case ttl == nil || ttl.TimeToLiveStatus == types.TimeToLiveStatusDisabled || ttl.TimeToLiveStatus == types.TimeToLiveStatusDisabling:
		d.add("time to live: the schema has attribute %s, the table has it switched off", want)
	case ttl.AttributeName != nil && *ttl.AttributeName != want:
		d.add("time to live: the schema has attribute %s, the table %s", want, *ttl.AttributeName)
	}
}
