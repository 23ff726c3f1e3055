package differential

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// projection generates paths that do not overlap. If keys is true, they include the table key,
// which identifies the items.
func (e *expression) projection(t *table, keys bool) string {
	var paths, roots []string
	if keys {
		for _, name := range t.names() {
			paths, roots = append(paths, e.path(name)), append(roots, name)
		}
	}
	pool := slices.Concat(attributes, nested, t.keyAttributes())
	for range 1 + e.g.IntN(3) {
		name := pick(e.g, pool).name
		root, _, _ := strings.Cut(name, "/")
		if !slices.Contains(roots, root) {
			paths, roots = append(paths, e.path(name)), append(roots, root)
		}
	}
	e.mark("ProjectionExpression")
	return strings.Join(paths, ", ")
}

// keyCondition generates a key condition for a table or an index. It has a partition, and usually a
// range: equalities from the left, and any operator for the last attribute.
func (e *expression) keyCondition(k key) string {
	var clauses []string
	for _, a := range k.hash {
		clauses = append(clauses, e.name(a.name)+" = "+e.value(e.g.indexPartition(a)))
	}
	for i, a := range k.sort {
		if !e.g.chance(0.9) || e.g.large {
			break
		}
		last := i == len(k.sort)-1 || e.g.chance(0.5)
		clauses = append(clauses, e.sortCondition(a, last))
		if last {
			break
		}
	}
	e.mark("key =")
	e.g.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
	return strings.Join(clauses, " AND ")
}

// indexPartition returns a partition key value of a table or an index that may exist.
func (g *generator) indexPartition(a attribute) value {
	if g.chance(0.9) {
		return g.hashValue(a.kind)
	}
	return g.keyValue(a.kind)
}

func (e *expression) sortCondition(a attribute, last bool) string {
	operator := "="
	if last {
		operator = pick(e.g, []string{"=", "<", "<=", ">", ">=", "BETWEEN", "BETWEEN", "begins_with", "begins_with", "begins_with"})
	}
	v := e.g.indexValue(a)
	switch operator {
	case "BETWEEN":
		e.mark("key BETWEEN")
		low, high := v, e.g.keyValue(a.kind)
		if less(high, low) {
			low, high = high, low
		}
		return e.name(a.name) + " BETWEEN " + e.value(low) + " AND " + e.value(high)
	case "begins_with":
		if a.kind == "N" { // numbers have no prefixes
			return e.sortCondition(a, false)
		}
		e.mark("key begins_with")
		return "begins_with(" + e.name(a.name) + ", " + e.value(v) + ")"
	default:
		e.mark("key " + operator)
		return e.name(a.name) + " " + operator + " " + e.value(v)
	}
}

// source is a table or an index to read from.
type source struct {
	table *table
	key   key
	index *index // nil is the table
}

func (g *generator) source() source {
	t := g.anyTable()
	if len(t.indexes) == 0 || g.chance(0.3) {
		return source{table: t, key: t.key}
	}
	x := pick(g, t.indexes)
	return source{table: t, key: x.key, index: &x}
}

// mark records the kind of the index.
func (s source) mark(e *expression) {
	switch {
	case s.index == nil:
	case s.index.local:
		e.mark("local index")
	case len(s.key.attributes()) > 2:
		e.mark("index of many attributes")
	default:
		e.mark("global index")
	}
}

func (s source) indexName() *string {
	if s.index == nil {
		return nil
	}
	return aws.String(s.index.name)
}

func (s source) global() bool { return s.index != nil && !s.index.local }

// filterOperands returns the paths for a filter: the attributes of the source, without its key
// attributes if byKey is true.
func (s source) filterOperands(byKey bool) []attribute {
	return slices.DeleteFunc(operands(s.table.keyAttributes()), func(a attribute) bool {
		root, _, _ := strings.Cut(a.name, "/")
		return byKey && slices.Contains(s.key.attributes(), a) || s.index != nil && !s.table.projects(*s.index, root)
	})
}

// strong returns a ConsistentRead that the source supports.
func (g *generator) strong(s source) *bool {
	if s.global() {
		return pick(g, []*bool{nil, aws.Bool(false)})
	}
	return g.maybeTrue()
}

// shape is the attributes that a read returns.
type shape struct {
	selection  types.Select
	projection *string
}

// shape chooses a shape. If keys is true, the returned attributes identify the items.
func (g *generator) shape(e *expression, s source, keys bool) shape {
	chosen := shape{}
	switch n := g.IntN(11); {
	case n < 2:
		chosen.projection = aws.String(e.projection(s.table, keys))
		if g.chance(0.5) {
			chosen.selection = types.SelectSpecificAttributes
		}
	case n == 2:
		chosen.selection = types.SelectCount
	case n == 3:
		chosen.selection = types.SelectAllAttributes
	case n > 8 && s.index != nil:
		chosen.selection = types.SelectAllProjectedAttributes
	}
	if chosen.selection != "" {
		e.mark("Select " + string(chosen.selection))
	}
	return chosen
}

// query reads all or a part of a partition. With a limit, it may be continued.
func (g *generator) query() []operation {
	s, e := g.source(), g.expression()
	s.mark(e)
	limited := g.chance(0.75) && !g.large
	in := &dynamodb.QueryInput{
		TableName:              aws.String(s.table.name),
		IndexName:              s.indexName(),
		KeyConditionExpression: aws.String(e.keyCondition(s.key)),
		ConsistentRead:         g.strong(s),
		ScanIndexForward:       g.maybeTrue(),
		ReturnConsumedCapacity: capacity,
	}
	if in.ScanIndexForward != nil && !*in.ScanIndexForward {
		e.mark("backward")
	}
	if paths := s.filterOperands(true); len(paths) > 0 && !g.large && g.chance(0.35) {
		in.FilterExpression = aws.String(e.condition(paths))
		e.mark("FilterExpression")
	}
	chosen := g.shape(e, s, s.index != nil)
	in.Select, in.ProjectionExpression = chosen.selection, chosen.projection
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
	// A start key that need not be an item.
	if s.index == nil && len(s.key.sort) > 0 && g.chance(0.1) {
		in.ExclusiveStartKey = item{s.key.hash[0].name: e.values[0], s.key.sort[0].name: g.keyValue(s.key.sort[0].kind)}
		e.mark("start anywhere")
	}
	op := operation{input: in, marks: e.marks}
	if limited {
		in.Limit = aws.Int32(pick(g, []int32{1, 1, 1, 2, 2, 3, 5}))
	}
	if limited || g.large {
		op = g.open(op)
	}
	return one(op)
}

// open gives a read a slot for its next pages.
func (g *generator) open(op operation) operation {
	g.slots++
	op.form, op.slot = firstPage, g.slots
	const remembered = 4
	g.reads = append(g.reads, op)
	if len(g.reads) > remembered {
		g.reads = g.reads[1:]
	}
	return op
}

// resume reads the next two pages of an earlier read. Sometimes it first deletes the last item of
// the previous page.
func (g *generator) resume() []operation {
	if len(g.reads) == 0 {
		return g.query()
	}
	begun := g.reads[len(g.reads)-1]
	if g.chance(0.6) {
		begun = pick(g, g.reads)
	}
	next := operation{form: nextPage, input: begun.input, slot: begun.slot, marks: begun.marks}
	if g.chance(0.3) {
		return []operation{{form: deleteAtCursor, input: begun.input, slot: begun.slot}, next, next}
	}
	return []operation{next, next}
}

// scan reads a whole table or index: at once, page by page, or in segments.
func (g *generator) scan() []operation {
	s, e := g.source(), g.expression()
	s.mark(e)
	limited := g.chance(0.5)
	in := &dynamodb.ScanInput{
		TableName:              aws.String(s.table.name),
		IndexName:              s.indexName(),
		ConsistentRead:         g.strong(s),
		ReturnConsumedCapacity: capacity,
	}
	if g.chance(0.4) {
		in.FilterExpression = aws.String(e.condition(s.filterOperands(false)))
		e.mark("FilterExpression")
	}
	chosen := g.shape(e, s, limited)
	in.Select, in.ProjectionExpression = chosen.selection, chosen.projection
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.attributeNames(), e.attributeValues()
	return one(g.inParts(operation{input: in, marks: e.marks}, in, limited))
}

// inParts makes a scan one of pages if limited is true, and sometimes one of segments otherwise.
func (g *generator) inParts(op operation, in *dynamodb.ScanInput, limited bool) operation {
	switch {
	case limited:
		in.Limit = aws.Int32(int32(2 + g.IntN(5)))
		return g.open(op)
	case g.chance(0.5):
		in.TotalSegments = aws.Int32(int32(1 + g.IntN(4)))
		op.form = allSegments
	}
	return op
}
