package read

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// compiler compiles a query to the key condition of one of its partitions.
type compiler struct {
	query        Query
	target       target
	b            expr.Builder
	at           place        // the partition
	period       *codec.Field // the field whose periods are partitions; nil: none
	merges       bool         // the query merges several partitions
	vals         []keys.Value // of the members of the partition key, if it has one attribute
	keyCondition phrase       // the key condition
	unsorted     string       // the key condition without that on the sort key, of a query that merges
	empty        bool
	hides        bool // the read drops expired items
	problems     errs.Problems
	schema       *core.Schema
	only         []*core.Plan          // the wanted types, if the keys do not identify the type
	moving       []string              // see Plan.Moving
	known        expr.SmallVec[member] // fields of the partition key
	ranges       expr.SmallVec[keyRange]
	where        expr.SmallVec[expr.KeyCond]
}

func (c *compiler) compile(p *Plan) error {
	places, shards := c.places()
	p.Shards = shards
	c.at, c.merges = places[0], p.Shards > 1 || len(places) > 1
	c.key()
	if c.query.Subset == nil && !c.query.Collection && c.target.shared && c.typed() {
		c.only = []*core.Plan{c.query.Plan}
	}
	p.Only, p.Filter = c.only, c.filter()
	c.hide(p)
	p.Filtered, p.Shared = len(c.query.Filter) > 0 || c.query.Collection && len(c.only) > 0, c.target.shared && !c.query.Collection
	c.project(p)
	c.fetch(p)
	if err := expr.Err(c.problems); err != nil {
		return err
	}
	p.one = c.partitionWith(c.b.Names(), c.b.Values())
	if len(places) > 1 {
		c.others(p, places[1:])
	}
	return c.b.Check()
}

// key compiles the key condition.
func (c *compiler) key() {
	c.partition()
	c.unsorted = c.keyCondition.text()
	c.conditions()
	c.example()
	if len(c.problems) == 0 && (!c.query.Collection || c.query.Where.Len() > 0) {
		c.sort()
	}
	if c.query.Subset != nil {
		c.subset(c.query.Subset)
	}
}

// partitionWith returns the partition, with the names and values of the key condition and the
// filter.
func (c *compiler) partitionWith(names map[string]string, values op.Item) Partition {
	return Partition{
		KeyCondition: c.keyCondition.text(), Names: names, Values: values, Empty: c.empty, ranges: c.ranges, unsorted: c.unsorted,
	}
}

// scan compiles a scan. It has no key condition, so filters may use key attributes.
func (c *compiler) scan(p *Plan) error {
	p.Name = "scan"
	c.target.key = core.Key{}
	if c.query.Plan == nil && c.query.Access != "" {
		c.problems.Add("", "a scan of all types cannot read an access pattern of a type", "scan the type, or the table")
	}
	if c.query.Plan != nil && c.typed() {
		c.only = []*core.Plan{c.query.Plan}
	}
	p.Filter = c.filter()
	c.hide(p)
	if err := expr.Err(c.problems); err != nil {
		return err
	}
	p.one = Partition{Names: c.b.Names(), Values: c.b.Values()}
	return c.b.Check()
}

// and adds a part to the key condition.
func (c *compiler) and(texts ...string) {
	if !c.keyCondition.empty() {
		c.keyCondition.add(" AND ")
	}
	for _, t := range texts {
		c.keyCondition.add(t)
	}
}

// conditions compiles the conditions of Where. It separates conditions on the sort key from those
// that the partition key decides.
func (c *compiler) conditions() {
	for i := range c.query.Where.Len() {
		k, err := expr.NewKeyCond(c.query.Where.At(i), c.query.Plan)
		if err != nil {
			c.problems.AddErr("", err)
			continue
		}
		known := c.exampleValue(k.Field)
		switch {
		case c.conditionOn(k.Field) != nil:
			c.problems.Add(k.Field.Name, "it has two conditions", "use one: Between takes both bounds, attr.During a period of time")
		case c.undetermined(k.Field):
		case known != nil:
			c.decide(&k, known)
		case holds(c.target.key.Partition, k.Field):
			c.problems.Add(k.Field.Name, "it is part of the partition key, and the example does not set it", "set it in the example instead")
		default:
			c.problems.Add(k.Field.Name, sortText(c.target.key)+" does not contain it", servedBy(c.query.Plan, c.target, k.Field))
		}
		c.checkExact(k)
		c.where.Add(k)
	}
}

// checkExact reports a problem for an Eq condition whose operand is not exactly representable in
// the attribute. No item can equal it.
func (c *compiler) checkExact(k expr.KeyCond) {
	if k.Op != keyspace.Eq {
		return
	}
	if v, err := c.query.Plan.RoundTrip(k.Field, k.Operands()[0]); err == nil && !v.Equal(k.Operands()[0]) {
		c.problems.Add(k.Field.Name, "no stored value can equal the operand, which is more exact than the attribute", "round the operand as the attribute is stored")
	}
}

// example reports a problem for an example that sets fields of the sort key. The example selects
// only a partition; it does not narrow the sort key.
func (c *compiler) example() {
	if c.query.Collection {
		return
	}
	for _, a := range c.target.key.Sort {
		for _, m := range a.Members {
			if c.exampleValue(m) == nil && !m.IsDerived() && !m.IsZero(c.query.Example) {
				c.problems.Add(m.Name, "the example sets it, and it is not part of the partition key", "leave "+m.GoName+" out of the example; Where narrows the sort key")
			}
		}
	}
}

// sort writes the conditions on the sort key attributes, from left to right. Only the last
// condition may use an operator other than Eq.
func (c *compiler) sort() {
	open := ""
	for _, a := range c.target.key.Sort {
		// A condition after an open attribute is a problem, which attribute reports.
		if open == "" || slices.ContainsFunc(a.Members, func(m *codec.Field) bool { return c.conditionOn(m) != nil }) {
			open = c.attribute(a, open)
		}
	}
}

// attribute writes the condition on one sort key attribute. It returns the name of the first member
// without an Eq condition, or open if it is already set.
func (c *compiler) attribute(a *core.KeyAttr, open string) string {
	var few [4]keys.Value
	fixed := few[:0]
	var last *expr.KeyCond
	for i, m := range a.Members {
		w := c.conditionOn(m)
		v, isKnown, err := c.determined(a, i)
		c.problems.AddErr(m.Name, err)
		switch {
		case isKnown && open == "":
			fixed = append(fixed, v)
		case isKnown:
		case w != nil && open != "":
			c.problems.Add(m.Name, "a condition on it needs an Eq condition on "+open+", which precedes it in the key", "add an Eq condition on "+open)
		case w != nil && w.Op == keyspace.Eq:
			fixed = append(fixed, w.Operands()[0])
		case w != nil:
			last, open = w, m.Name
		case open == "":
			open = m.Name
		}
	}
	if len(c.problems) > 0 {
		return open
	}
	op, operands := keyspace.All, []keys.Value(nil)
	if last != nil {
		op, operands = last.Op, last.Operands()
	}
	r, err := a.Template.Range(fixed, op, operands...)
	if err != nil {
		c.problems.AddErr(a.Name, err)
		return open
	}
	c.write(a, r)
	return open
}

func (c *compiler) conditionOn(m *codec.Field) *expr.KeyCond {
	for i := range c.where.Len() {
		if t := c.where.At(i); t.Field == m {
			return t
		}
	}
	return nil
}

// write adds a range to the key condition.
func (c *compiler) write(a *core.KeyAttr, r keyspace.Range) {
	c.ranges.Add(keyRange{&a.Attribute, r})
	switch r.Op {
	case keyspace.None:
		c.empty = true
	case keyspace.All:
	case keyspace.BeginsWith:
		c.and("begins_with(", c.b.Name(a.Name), ", ", c.bound(a, r.Lo), ")")
	case keyspace.Between:
		c.and(c.b.Name(a.Name), between, c.bound(a, r.Lo), " AND ", c.bound(a, r.Hi))
	default:
		c.and(c.b.Name(a.Name), comparisons[r.Op], c.bound(a, r.Lo))
	}
}

const between = " BETWEEN "

func (c *compiler) bound(a *core.KeyAttr, text string) string {
	return c.b.Value(core.KeyValue(a.Type, text))
}

var comparisons = [...]string{
	keyspace.Eq: " = ", keyspace.Lt: " < ", keyspace.Le: " <= ", keyspace.Gt: " > ", keyspace.Ge: " >= ",
}

// holds reports whether a field is part of one side of a key.
func holds(side []*core.KeyAttr, f *codec.Field) bool {
	return slices.ContainsFunc(side, func(a *core.KeyAttr) bool { return slices.Contains(a.Members, f) })
}

func sortText(k core.Key) string {
	if len(k.Sort) == 0 {
		return "the key, which has no sort key,"
	}
	parts := make([]string, len(k.Sort))
	for i, a := range k.Sort {
		parts[i] = a.Template.String()
	}
	return "the sort key " + strings.Join(parts, ",")
}
