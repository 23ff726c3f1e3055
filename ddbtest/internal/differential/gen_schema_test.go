package differential

import (
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// key is the attributes of a key. A table or a local index has one partition key attribute and at
// most one sort key attribute. A global index has one to four, and none to four.
type key struct{ hash, sort []attribute }

func (k key) attributes() []attribute { return slices.Concat(k.hash, k.sort) }

func (k key) names() []string {
	var names []string
	for _, a := range k.attributes() {
		names = append(names, a.name)
	}
	return names
}

func (k key) schema() []types.KeySchemaElement {
	var schema []types.KeySchemaElement
	for _, a := range k.hash {
		schema = append(schema, types.KeySchemaElement{AttributeName: aws.String(a.name), KeyType: types.KeyTypeHash})
	}
	for _, a := range k.sort {
		schema = append(schema, types.KeySchemaElement{AttributeName: aws.String(a.name), KeyType: types.KeyTypeRange})
	}
	return schema
}

// table is the definition of a table.
type table struct {
	name string
	key
	indexes []index
	stream  types.StreamViewType // "" if there is no stream
	spare   []attribute          // of the indexes that are added and deleted; not shared
}

// index is the definition of an index.
type index struct {
	name string
	key
	local      bool
	projection types.ProjectionType
	include    []string
}

// projects reports whether an index contains an attribute of the table's items.
func (t *table) projects(x index, name string) bool {
	return x.projection == types.ProjectionTypeAll || slices.Contains(t.names(), name) || slices.Contains(x.names(), name) ||
		slices.Contains(x.include, name)
}

// keyAttributes returns the key attributes of the table and of all indexes, without duplicates.
func (t *table) keyAttributes() []attribute {
	all := slices.Clone(t.attributes())
	for _, x := range t.indexes {
		for _, a := range x.attributes() {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// indexAttributes returns the key attributes of indexes that are not in the table key.
func (t *table) indexAttributes() []attribute {
	all := slices.DeleteFunc(t.keyAttributes(), func(a attribute) bool { return slices.Contains(t.attributes(), a) || slices.Contains(t.spare, a) })
	return append(all, t.spare...)
}

// globalAttributes returns the key attributes of global indexes that are in no other key.
func (t *table) globalAttributes() []attribute {
	var all []attribute
	for _, a := range t.indexAttributes() {
		global, local := false, false
		for _, x := range t.indexes {
			global = global || !x.local && slices.Contains(x.attributes(), a)
			local = local || x.local && slices.Contains(x.attributes(), a)
		}
		if global && !local {
			all = append(all, a)
		}
	}
	return all
}

var keyTypes = []string{"S", "S", "N", "N", "B"}

// table generates a table with random keys and indexes. The index keys use few attributes, so that
// indexes share them.
func (g *generator) table(name string, evolves bool) *table {
	t := &table{name: name}
	t.hash = []attribute{{"pk", pick(g, keyTypes)}}
	if g.large || g.chance(0.85) {
		t.sort = []attribute{{"sk", pick(g, keyTypes)}}
	}
	switch {
	case evolves:
		t.spare = []attribute{{"e1", "S"}, {"e2", "N"}, {"e3", "B"}}
		return t
	// Pages end at the same item only if the entries have a unique order and the size of their
	// items.
	case g.large:
		t.indexes = []index{{name: "gsi1", key: t.key, projection: types.ProjectionTypeAll}}
		return t
	}
	shared := make([]attribute, 6)
	for i := range shared {
		shared[i] = attribute{fmt.Sprintf("g%d", i+1), pick(g, keyTypes)}
	}
	for i := range g.IntN(4) {
		t.indexes = append(t.indexes, g.globalIndex(t, fmt.Sprintf("gsi%d", i+1), shared))
	}
	if len(t.sort) > 0 {
		for i := range g.IntN(3) {
			t.indexes = append(t.indexes, g.localIndex(t, fmt.Sprintf("lsi%d", i+1), shared[i]))
		}
	}
	if g.chance(0.5) {
		t.stream = pick(g, types.StreamViewType("").Values())
	}
	return t
}

// globalIndex generates an index on the reversed table key, on one or two attributes, or on many.
func (g *generator) globalIndex(t *table, name string, shared []attribute) index {
	x := index{name: name}
	order := g.Perm(len(shared))
	take := func(n int) (taken []attribute) {
		for range n {
			taken = append(taken, shared[order[0]])
			order = order[1:]
		}
		return taken
	}
	switch form := g.IntN(10); {
	case form < 2 && len(t.sort) > 0:
		x.hash, x.sort = t.sort, t.hash
	case form < 5:
		x.hash, x.sort = take(1), take(g.IntN(2))
	default:
		x.hash, x.sort = take(1+g.IntN(4)), take(g.IntN(3))
	}
	g.project(&x)
	return x
}

func (g *generator) localIndex(t *table, name string, sort attribute) index {
	x := index{name: name, local: true, key: key{hash: t.hash, sort: []attribute{sort}}}
	g.project(&x)
	return x
}

func (g *generator) project(x *index) {
	x.projection = pick(g, types.ProjectionType("").Values())
	if x.projection == types.ProjectionTypeInclude {
		x.include = g.some([]string{"s1", "n1", "m", "l", "ss", padName}, 3)
	}
}

func (x index) projectionType() *types.Projection {
	return &types.Projection{ProjectionType: x.projection, NonKeyAttributes: x.include}
}

// create returns the CreateTable request.
func (t *table) create() *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:            aws.String(t.name),
		BillingMode:          types.BillingModePayPerRequest,
		KeySchema:            t.schema(),
		AttributeDefinitions: definitions(t.keyAttributes()),
	}
	for _, x := range t.indexes {
		if x.local {
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes,
				types.LocalSecondaryIndex{IndexName: aws.String(x.name), KeySchema: x.schema(), Projection: x.projectionType()})
			continue
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes,
			types.GlobalSecondaryIndex{IndexName: aws.String(x.name), KeySchema: x.schema(), Projection: x.projectionType()})
	}
	if t.stream != "" {
		in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: t.stream}
	}
	return in
}

func definitions(attributes []attribute) []types.AttributeDefinition {
	var all []types.AttributeDefinition
	for _, a := range attributes {
		all = append(all, types.AttributeDefinition{AttributeName: aws.String(a.name), AttributeType: types.ScalarAttributeType(a.kind)})
	}
	return all
}
