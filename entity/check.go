package entity

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
)

type describeClient interface {
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	DescribeTimeToLive(context.Context, *dynamodb.DescribeTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error)
}

// DriftError lists every difference between a schema and the real table.
type DriftError struct {
	Table       string
	Differences []string
}

// Error lists the differences, one per line.
func (e *DriftError) Error() string {
	return fmt.Sprintf("trestle: table %q differs from the schema:\n  %s", e.Table, strings.Join(e.Differences, "\n  "))
}

// Check compares the schema with the real table: keys and their types, indexes, projections and
// time to live. It returns a [*DriftError] that lists every difference. It sends one request, or
// two if the schema has a TTL attribute. An index that only the table has is no difference. A local
// index or a key that differs can only be fixed with a new table.
func (t *Table) Check(ctx context.Context) error {
	if err := t.opened(); err != nil {
		return refused(checkVerb, nil, err)
	}
	client, ok := t.view.env.Client.(describeClient)
	if !ok {
		return t.view.refused(checkVerb, nil, errs.New("", "the client cannot describe tables", "open the schema on a *dynamodb.Client"))
	}
	d := drift{types: map[string]types.ScalarAttributeType{}}
	err := exec.OnTable(ctx, &t.view.env, checkVerb, false, func(ctx context.Context, c *exec.Table) error {
		err := c.Look(ctx, func(ctx context.Context, o ...func(*dynamodb.Options)) error {
			return d.lookAtTable(ctx, client, t.schema.Definition(t.Name()), o)
		})
		if ttl := t.schema.core.TTL; err == nil && ttl != "" {
			err = c.Look(ctx, func(ctx context.Context, o ...func(*dynamodb.Options)) error {
				return d.lookAtTTL(ctx, client, t.Name(), ttl, o)
			})
		}
		return err
	})
	switch {
	case err != nil:
		return failure(err)
	case len(d.found) > 0:
		return &DriftError{Table: t.Name(), Differences: d.found}
	default:
		return nil
	}
}

const checkVerb = "check table"

// drift collects differences.
type drift struct {
	found []string
	// types has the types of the real table's key attributes.
	types map[string]types.ScalarAttributeType
}

func (d *drift) add(format string, args ...any) {
	d.found = append(d.found, fmt.Sprintf(format, args...))
}

func (d *drift) lookAtTable(ctx context.Context, client describeClient, want *dynamodb.CreateTableInput, o []func(*dynamodb.Options)) error {
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: want.TableName}, o...)
	if err != nil {
		return err
	}
	if out.Table == nil {
		d.add("the service does not describe the table")
		return nil
	}
	d.compare(want, out.Table)
	return nil
}

func (d *drift) compare(want *dynamodb.CreateTableInput, got *types.TableDescription) {
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
	if w, g := keyText(want), keyText(got); w != g {
		d.add("%s: the schema has the key %s, the table %s", where, w, g)
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
		d.add("%s index %s: the table does not have it", kind, name)
		return
	}
	where := kind + " index " + name
	d.keys(where, keys, got.keys)
	if w, g := projectionText(p), projectionText(got.projection); w != g {
		d.add("%s: the schema projects %s, the table %s", where, w, g)
	}
	if got.status != "" && got.status != types.IndexStatusActive {
		d.add("%s is %s", where, got.status)
	}
}

func projectionText(p *types.Projection) string {
	if p == nil {
		return "nothing"
	}
	names := slices.Clone(p.NonKeyAttributes)
	sort.Strings(names)
	return strings.TrimSpace(string(p.ProjectionType) + " " + strings.Join(names, " "))
}

func (d *drift) lookAtTTL(ctx context.Context, client describeClient, name, want string, o []func(*dynamodb.Options)) error {
	out, err := client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &name}, o...)
	if err != nil {
		return err
	}
	ttl := out.TimeToLiveDescription
	switch {
	case ttl == nil || ttl.TimeToLiveStatus == types.TimeToLiveStatusDisabled || ttl.TimeToLiveStatus == types.TimeToLiveStatusDisabling:
		d.add("time to live: the schema has attribute %s, the table has it switched off", want)
	case ttl.AttributeName != nil && *ttl.AttributeName != want:
		d.add("time to live: the schema has attribute %s, the table %s", want, *ttl.AttributeName)
	}
	return nil
}
