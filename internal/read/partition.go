package read

import (
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// member is a field of the partition key with its value in the example.
type member struct {
	attr  *core.KeyAttr // the key attribute that contains the field
	at    int           // its index in attr.Members
	value keys.Value
}

func (m *member) field() *codec.Field { return m.attr.Members[m.at] }

// whole reports whether the partition key holds the value without loss.
func (m *member) whole() bool { return m.attr.Field != nil || m.attr.Preserves(m.at) }

// format returns the format of the value in the partition key.
func (m *member) format() string { return m.attr.Template.Format(m.at) }

// partition renders the partition key from the example, which must set all its fields.
func (c *compiler) partition() {
	for _, a := range c.target.key.Partition {
		var few [4]keys.Value
		vals := few[:0]
		for i, m := range a.Members {
			v, err := c.member(a, i)
			switch {
			case err != nil:
				c.problems.AddErr(m.Name, err)
			case v.IsAbsent():
				c.problems.Add(m.Name, "the partition key "+a.Template.String()+" needs it, and the example does not set it", "set "+m.GoName+" in the example"+c.boundHint(a, i))
			default:
				c.known.Add(member{a, i, v})
				vals = append(vals, v)
			}
		}
		if len(vals) < len(a.Members) {
			continue
		}
		av, err := a.Render(vals)
		if err != nil {
			c.problems.AddErr(a.Name, err)
			continue
		}
		if c.merges {
			c.vals = slices.Clone(vals)
		}
		text, _ := core.KeyText(a.Type, av)
		c.ranges.Add(keyRange{&a.Attribute, keyspace.Range{Op: keyspace.Eq, Number: a.Type == keys.N, Lo: text}})
		c.and(c.b.Name(a.Name), " = ", c.b.Value(av))
	}
}

// boundHint is the hint that a condition can bound a period of the partition key.
func (c *compiler) boundHint(a *core.KeyAttr, i int) string {
	if !a.Template.IsPeriod(i) {
		return ""
	}
	return ", or bound it by a condition: Between, or attr.During"
}

// exampleValue returns the example's value for a field of the partition key, or nil if the key does
// not hold the field. If the key holds the field more than once, a lossless member is preferred.
func (c *compiler) exampleValue(f *codec.Field) (found *member) {
	for i := range c.known.Len() {
		if k := c.known.At(i); k.field() == f && (found == nil || k.whole()) {
			found = k
		}
	}
	return found
}

// determined returns the value of a sort key member that the partition key determines, in the
// format of the sort key. It reports false if the partition key holds less than the sort key, such
// as only the day of a time.
func (c *compiler) determined(a *core.KeyAttr, i int) (keys.Value, bool, error) {
	for n := range c.known.Len() {
		if k := c.known.At(n); k.field() == a.Members[i] && (k.whole() || k.format() == a.Template.Format(i)) {
			v, err := a.Template.Kept(i, k.value)
			return v, true, err
		}
	}
	return keys.Value{}, false, nil
}

// undetermined reports whether the sort key holds a field that the partition key does not fully
// determine.
func (c *compiler) undetermined(f *codec.Field) bool {
	for _, a := range c.target.key.Sort {
		for i, m := range a.Members {
			if m != f {
				continue
			}
			if _, settled, _ := c.determined(a, i); !settled {
				return true
			}
		}
	}
	return false
}

// decide evaluates a condition on a field of the partition key. All items of the partition have the
// example's value, in the format of the key. If the condition is false, the query is empty.
func (c *compiler) decide(t *expr.KeyCond, k *member) {
	var vals []keys.Value
	for i := range c.known.Len() {
		if m := c.known.At(i); m.attr == k.attr {
			kept, err := m.attr.Template.Kept(m.at, m.value)
			if err != nil {
				return // rendering the key reports it too
			}
			vals = append(vals, kept)
		}
	}
	text, err := k.attr.Template.Render(vals...)
	if err != nil {
		return // no such partition; already reported
	}
	r, err := k.attr.Template.Range(vals[:k.at], t.Op, t.Operands()...)
	if err != nil {
		c.problems.AddErr(k.field().Name, err)
		return
	}
	c.empty = c.empty || !r.Contains(text)
}
