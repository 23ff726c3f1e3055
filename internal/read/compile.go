package read

import (
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/keys"
)

// compiler turns a query into the key condition of one partition.
type compiler struct {
	query    Query
	target   target
	b        expr.Builder
	text     phrase // the key condition
	empty    bool
	problems fail.Problems
	limit    error
	schema   *core.Schema
	only     []*core.Plan     // the types that are wanted, where the keys do not say it
	known    expr.Few[member] // of the partition key
	ranges   expr.Few[keyRange]
	where    expr.Few[expr.Term]
}

func (c *compiler) compile(p *Plan) error {
	c.partition()
	c.conditions()
	c.example()
	if len(c.problems) == 0 && (!c.query.Collection || c.query.Where.Len() > 0) {
		c.sort()
	}
	if c.query.Part != nil {
		c.part(c.query.Part)
	} else if !c.query.Collection && c.target.shared && c.typed() {
		c.only = []*core.Plan{c.query.Plan}
	}
	p.Only, p.Filter, p.Vague = c.only, c.filter(), c.vague()
	p.Filtered, p.Shared = len(c.query.Filter) > 0 || c.query.Collection && len(c.only) > 0, c.target.shared && !c.query.Collection
	c.project(p)
	if err := c.err(); err != nil {
		return err
	}
	p.one = Partition{KeyCondition: c.text.text(), Names: c.b.Names(), Values: c.b.Values(), Empty: c.empty, ranges: c.ranges}
	return c.b.Check()
}

// err is what is wrong; a mistake counts before a limit.
func (c *compiler) err() error {
	if err := c.problems.Err(); err != nil {
		return err
	}
	return c.limit
}

// and adds a part to the key condition.
func (c *compiler) and(texts ...string) {
	if !c.text.empty() {
		c.text.add(" AND ")
	}
	for _, t := range texts {
		c.text.add(t)
	}
}

// conditions opens what Where was given, and tells conditions on the sort key from those that the
// partition decides.
func (c *compiler) conditions() {
	for i := range c.query.Where.Len() {
		k, err := c.query.Where.At(i).Term(c.query.Plan)
		if err != nil {
			c.problems.Because("", err)
			continue
		}
		known := c.given(k.Field)
		switch {
		case c.find(k.Field) != nil:
			c.problems.Add(k.Field.Name, "two conditions ask about it", "say it with one: Between takes both bounds, attr.During a period of time")
		case c.open(k.Field):
		case known != nil:
			c.decide(&k, known)
		case holds(c.target.key.Partition, k.Field):
			c.problems.Add(k.Field.Name, "the partition key holds it, and the example does not give it", "give it in the example instead")
		default:
			c.problems.Add(k.Field.Name, sortText(c.target.key)+" does not hold it", servedBy(c.query.Plan, c.target, k.Field))
		}
		c.kept(k)
		c.where.Add(k)
	}
}

// kept refuses to ask for a value that no item can have, since the attribute keeps less than the operand says.
func (c *compiler) kept(k expr.Term) {
	if k.Op != expr.Eq {
		return
	}
	if v, err := c.query.Plan.Stored(k.Field, k.Operands()[0]); err == nil && !v.Equal(k.Operands()[0]) {
		c.problems.Add(k.Field.Name, "the attribute keeps less than the operand says, so that nothing can equal it", "round the operand as the attribute is stored")
	}
}

// example refuses an example that gives members of the sort key: it names a partition, and would seem to narrow it.
func (c *compiler) example() {
	if c.query.Collection {
		return
	}
	for _, a := range c.target.key.Sort {
		for _, m := range a.Members {
			if c.given(m) == nil && !m.IsZero(c.query.Example) {
				c.problems.Add(m.Name, "the example gives it, and it is no part of the partition key", "leave "+m.GoName+" out of the example; Where narrows the sort key")
			}
		}
	}
}

// sort writes the conditions on the sort key's attributes, left to right. The last condition may be open; nothing may follow it.
func (c *compiler) sort() {
	if len(c.target.key.Sort) == 0 {
		return
	}
	open := ""
	for _, a := range c.target.key.Sort {
		if open != "" && !c.asked(a) {
			continue // a condition further on is to be refused
		}
		open = c.attribute(a, open)
	}
}

func (c *compiler) asked(a *core.KeyAttr) bool {
	for _, m := range a.Members {
		if c.find(m) != nil {
			return true
		}
	}
	return false
}

// attribute writes the condition on one sort attribute. It returns the name of the member from which on the key is open.
func (c *compiler) attribute(a *core.KeyAttr, open string) string {
	var few [4]keys.Value
	fixed := few[:0]
	var last *expr.Term
	for i, m := range a.Members {
		w := c.find(m)
		v, isKnown, err := c.settled(a, i)
		c.problems.Because(m.Name, err)
		switch {
		case isKnown && open == "":
			fixed = append(fixed, v)
		case isKnown:
		case w != nil && open != "":
			c.problems.Add(m.Name, "a condition on it needs one of equality on "+open+", which stands before it in the key", "ask "+open+" with Eq too")
		case w != nil && w.Op == expr.Eq:
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
	r, err := bounds(a, fixed, last)
	if err != nil {
		c.problems.Because(a.Name, err)
		return open
	}
	c.write(a, r)
	return open
}

func (c *compiler) find(m *codec.Field) *expr.Term {
	for i := range c.where.Len() {
		if t := c.where.At(i); t.Field == m {
			return t
		}
	}
	return nil
}

// bounds gives the range of an attribute that the conditions leave.
func bounds(a *core.KeyAttr, fixed []keys.Value, last *expr.Term) (keys.Range, error) {
	if last == nil {
		return a.Template.All(fixed...)
	}
	return a.Template.Range(fixed, operators[last.Op], last.Operands()...)
}

// operators are all that a term can have.
var operators = [...]keys.Op{
	expr.Eq: keys.Eq, expr.Lt: keys.Lt, expr.Le: keys.Le, expr.Gt: keys.Gt, expr.Ge: keys.Ge,
	expr.Between: keys.Between, expr.Within: keys.During, expr.BeginsWith: keys.BeginsWith,
}

// write turns a range into a key condition.
func (c *compiler) write(a *core.KeyAttr, r keys.Range) {
	c.ranges.Add(keyRange{&a.Attribute, r})
	switch r.Shape {
	case keys.Empty:
		c.empty = true
	case keys.Everything:
	case keys.Prefix:
		c.and("begins_with(", c.b.Name(a.Name), ", ", c.bound(a, r.Lo), ")")
	case keys.Within:
		c.and(c.b.Name(a.Name), " BETWEEN ", c.bound(a, r.Lo), " AND ", c.bound(a, r.Hi))
	default:
		c.and(c.b.Name(a.Name), comparisons[r.Shape], c.bound(a, r.Lo))
	}
}

func (c *compiler) bound(a *core.KeyAttr, text string) string {
	return c.b.Value(core.KeyValue(a.Type, text))
}

var comparisons = [...]string{
	keys.Exact: " = ", keys.Less: " < ", keys.LessEq: " <= ", keys.Greater: " > ", keys.GreaterEq: " >= ",
}

// holds reports whether a field is part of a side of a key.
func holds(side []*core.KeyAttr, f *codec.Field) bool {
	for _, a := range side {
		for _, m := range a.Members {
			if m == f {
				return true
			}
		}
	}
	return false
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
