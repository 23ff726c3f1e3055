package read

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// A query reads several partitions if the partition key has a shard, or a period of a time that a
// condition bounds.

// place is one partition of a query, apart from what the example determines.
type place struct {
	period keys.Value // of the field that conditions bound; absent: the example determines all fields
	shard  int        // -1: the partition key has no shard, or the example determines it
}

// DefaultPeriods is the maximum number of periods of a query without a limit of its own.
const DefaultPeriods = 100

// places lists the partitions of the query, in the order of the results, and returns how many of
// them are the shards of a period. These are next to each other.
func (c *compiler) places() (list []place, shards int) {
	shards = c.shards()
	for _, period := range c.periods() {
		if shards == 0 {
			list = append(list, place{period, -1})
		}
		for i := range shards {
			list = append(list, place{period, i})
		}
	}
	return list, max(1, shards)
}

// shards returns the number of shards to read, or 0 if the query reads one partition for each
// period.
func (c *compiler) shards() int {
	a := c.target.key.Sharded()
	if a == nil || a.Shard.Random() && !a.Members[a.Shard.At].IsZero(c.query.Example) {
		return 0
	}
	n := a.Shard.Shards()
	if c.query.Collection {
		for _, p := range c.schema.Plans {
			n = max(n, c.shardsOf(p, a))
		}
	}
	return n
}

// shardsOf returns the number of shards of another type that has items in the same partitions, or
// 0.
func (c *compiler) shardsOf(p *core.Plan, as *core.KeyAttr) int {
	key, ok := p.KeyOn(c.target.index)
	if !ok {
		return 0
	}
	if a := key.Sharded(); a != nil && slices.Equal(a.Template.Space().Literals, as.Template.Space().Literals) {
		return a.Shard.Shards()
	}
	return 0
}

// periods lists the periods to read: those that hold the times of a condition on a field of the
// partition key that the example does not set. Without such a field, it has one absent value.
func (c *compiler) periods() []keys.Value {
	none := []keys.Value{{}}
	a, i := c.periodMember()
	if a == nil {
		return none
	}
	f := a.Members[i]
	k := c.boundOf(f)
	if k == nil {
		return none
	}
	most := c.query.Periods
	if most == 0 {
		most = DefaultPeriods
	}
	list, err := a.Template.Periods(i, k.Op, k.Operands(), most)
	c.period = f
	some := k.Operands()[:1] // to find further problems
	switch {
	case c.sortsCoarser(f, a.Template.Format(i)):
		c.problems.Add(f.Name, "the sort key holds it less exactly than the partition key, so no condition bounds both", "set "+f.GoName+" in the example")
		return some
	case k.Op.Operands() == 1 && k.Op != keyspace.Eq:
		c.problems.Add(f.Name, "the condition has one bound only, and each "+a.Template.Format(i)+" is a partition of its own", "use Between or attr.During")
		return some
	case err != nil:
		c.problems.AddErr(f.Name, err)
		return some
	case len(list) > most:
		c.problems.AddLimit(f.Name, fmt.Sprintf("the condition covers more than %d periods (%s)", most, a.Template.Format(i)), "narrow it, or allow more with Periods")
		return some
	case len(list) == 0:
		c.empty = true
		return some
	}
	if c.query.Desc != c.sortsDown(f) {
		slices.Reverse(list)
	}
	return list
}

// periodMember returns the finest member of the partition key that is a period of a time which the
// example does not set, or nil.
func (c *compiler) periodMember() (found *core.KeyAttr, at int) {
	for _, a := range c.target.key.Partition {
		for i, m := range a.Members {
			if !a.Template.IsPeriod(i) || !m.IsZero(c.query.Example) {
				continue
			}
			if found == nil || m == found.Members[at] && finer(a.Template.Format(i), found.Template.Format(at)) {
				found, at = a, i
			}
		}
	}
	return found, at
}

// finer reports whether the periods of a format are shorter than those of another.
func finer(a, b string) bool {
	order := []string{"year", "month", "day", "hour"}
	name := func(format string) string { return strings.TrimSuffix(format, ",desc") }
	return slices.Index(order, name(a)) > slices.Index(order, name(b))
}

// boundOf returns the condition on a field, or nil.
func (c *compiler) boundOf(f *codec.Field) *expr.KeyCond {
	for i := range c.query.Where.Len() {
		if k, err := expr.NewKeyCond(c.query.Where.At(i), c.query.Plan); err == nil && k.Field == f {
			return &k
		}
	}
	return nil
}

// sortsDown reports whether the sort key has a time in descending order.
func (c *compiler) sortsDown(f *codec.Field) bool {
	for _, a := range c.target.key.Sort {
		if i := slices.Index(a.Members, f); i >= 0 {
			return strings.HasSuffix(a.Template.Format(i), ",desc")
		}
	}
	return false
}

// sortsCoarser reports whether the sort key has a time in longer periods than a format.
func (c *compiler) sortsCoarser(f *codec.Field, format string) bool {
	for _, a := range c.target.key.Sort {
		if i := slices.Index(a.Members, f); i >= 0 && a.Template.IsPeriod(i) && finer(format, a.Template.Format(i)) {
			return true
		}
	}
	return false
}

// member returns the value of a field of the partition key.
func (c *compiler) member(a *core.KeyAttr, i int) (keys.Value, error) {
	m := a.Members[i]
	switch {
	case a.Shard != nil && a.Shard.At == i && c.at.shard >= 0:
		return keys.Int(int64(c.at.shard)), nil
	case m == c.period && m != nil:
		return c.at.period, nil
	default:
		return c.query.Plan.Value(m, c.query.Example)
	}
}

// others compiles the partitions after the first one.
func (c *compiler) others(p *Plan, places []place) {
	last, base := c, &p.one
	decided := c.decidesShard()
	for _, at := range places {
		if at.period.Equal(last.at.period) && !decided {
			p.more = append(p.more, base.inShard(last, at.shard))
			continue
		}
		last = &compiler{query: c.query, target: c.target, schema: c.schema, period: c.period, at: at, merges: c.merges}
		last.key()
		values := maps.Clone(p.one.Values)
		maps.Copy(values, last.b.Values())
		p.more = append(p.more, last.partitionWith(p.one.Names, values))
		base = &p.more[len(p.more)-1]
		own := *base // more may grow
		base = &own
	}
}

// decidesShard reports whether a condition on a random shard decides which shards are read.
func (c *compiler) decidesShard() bool {
	a := c.target.key.Sharded()
	return a != nil && c.conditionOn(a.Members[a.Shard.At]) != nil
}

// partitionMark is the placeholder of the partition key's value.
const partitionMark = ":v0"

// inShard returns the partition with another shard. c compiled the partition.
func (p *Partition) inShard(c *compiler, shard int) Partition {
	a := c.target.key.Sharded()
	vals := slices.Clone(c.vals)
	vals[a.Shard.At] = keys.Int(int64(shard))
	av, err := a.Render(vals)
	own := *p
	if err != nil { // the digits of a shard have one size, so the first partition has the same error
		own.Empty = true
		return own
	}
	own.Values = maps.Clone(p.Values)
	own.Values[partitionMark] = av
	own.ranges.At(0).of.Lo, _ = core.KeyText(a.Type, av)
	return own
}
