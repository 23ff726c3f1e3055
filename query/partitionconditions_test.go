package query_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/query"
)

// lossless reports whether the form keeps all of a value.
func (p part) lossless() bool {
	switch format, _, _ := strings.Cut(p.form.format, ","); format {
	case "", "raw", "ord", "hex", "ns":
		return true
	default:
		return strings.HasPrefix(format, "0")
	}
}

// overlapping is a table whose partition key and sort key may hold the same columns.
type overlapping struct {
	partition, sort []part // the sort key ends with the serial number
	items           []*sample
	pools           map[string][]any
	samples         *entity.Type[sample]
	schema          *entity.Schema
}

func template(lead string, parts []part) string {
	for _, p := range parts {
		lead += "#" + p.String()
	}
	return lead
}

func newOverlapping(t *testing.T, r *rand.Rand) *overlapping {
	t.Helper()
	o := &overlapping{pools: map[string][]any{}}
	drawn := func() part {
		c := pick(r, columns...)
		return part{column: c, form: pick(r, c.forms...), delim: "#"}
	}
	for range 1 + r.IntN(3) {
		if p := drawn(); !slices.ContainsFunc(o.partition, func(q part) bool { return q.name == p.name }) {
			o.partition = append(o.partition, p)
		}
	}
	for range r.IntN(4) {
		p := drawn()
		switch r.IntN(3) {
		case 0:
			p = pick(r, o.partition...)
		case 1:
			p.column = pick(r, o.partition...).column
			p.form = pick(r, p.forms...)
		}
		if !slices.ContainsFunc(o.sort, func(q part) bool { return q.name == p.name }) {
			o.sort = append(o.sort, p)
		}
	}
	o.schema = entity.NewSchema(entity.Config{Formats: map[string]keys.Format{"compact": compact}})
	o.samples = entity.DefineSpec[sample](o.schema, entity.Spec{
		Type: "sample", Key: entity.KeySpec{PK: template("P", o.partition), SK: template("S", o.sort) + "#<serial:08>"},
	})
	require.NoError(t, o.schema.Err())
	all := slices.Concat(o.partition, o.sort)
	for _, p := range all {
		for tries := 0; len(o.pools[p.name]) < 3; tries++ {
			require.Less(t, tries, 100_000)
			if v := p.draw(r); o.fits(all, p.name, v) {
				o.pools[p.name] = append(o.pools[p.name], v)
			}
		}
	}
	for i := range 20 {
		one := &sample{Tenant: "t", Serial: i}
		for _, p := range all {
			p.set(one, pick(r, o.pools[p.name]...))
		}
		o.items = append(o.items, one)
	}
	return o
}

// fits reports whether every key that holds a column can hold a value.
func (o *overlapping) fits(all []part, name string, v any) bool {
	return !slices.ContainsFunc(all, func(p part) bool {
		_, ok := p.keptValue(v)
		return p.name == name && !ok
	})
}

// kept returns what a key holds of an item's value.
func (p part) kept(s *sample) any {
	v, _ := p.value(s)
	return v
}

// decision is a condition on a column, decided by one of its parts in the keys.
type decision struct {
	part
	condition
}

// decisions returns conditions on the partition key and on the sort key from the left. decided
// contains the conditions that the partition key decides.
func (o *overlapping) decisions(r *rand.Rand) (decided, rest []decision) {
	value := func(p part) any {
		v := pick(r, o.pools[p.name]...)
		if r.IntN(4) == 0 {
			v = p.draw(r)
		}
		if kept, ok := p.form.keep(v); ok && r.IntN(10) > 0 {
			return kept
		}
		return v
	}
	conditionOn := func(p part, equal bool) decision {
		ops := []operator{opEq, opLt, opLe, opGt, opGe, opBetween}
		switch p.get(&sample{}).(type) {
		case time.Time:
			ops = append(ops, opDuring, opSince, opBefore)
		case string, label, []byte:
			ops = append(ops, opBegins)
		}
		c := condition{op: pick(r, ops...), operands: []any{value(p)}}
		switch {
		case equal:
			c.op = opEq
		case c.op == opBetween || c.op == opDuring:
			c.operands = append(c.operands, value(p))
			slices.SortFunc(c.operands, compareTyped)
		}
		return decision{p, c}
	}
	open := map[string]bool{}
	for _, q := range o.sort {
		i := slices.IndexFunc(o.partition, func(p part) bool { return p.name == q.name })
		open[q.name] = i < 0 || !o.partition[i].lossless() && o.partition[i].form.format != q.form.format
	}
	for _, p := range o.partition {
		if !open[p.name] && r.IntN(3) > 0 {
			decided = append(decided, conditionOn(p, false))
		}
	}
	for _, q := range o.sort {
		if !open[q.name] {
			continue // the partition key determines it
		}
		if r.IntN(3) == 0 {
			break
		}
		a := conditionOn(q, r.IntN(2) == 0)
		if rest = append(rest, a); a.op != opEq {
			break
		}
	}
	return decided, rest
}

// refused reports whether the part that decides the condition cannot serve it.
func (a decision) refused() bool {
	if !a.form.ordered && a.op != opEq || a.op == opBegins && !a.form.prefixes {
		return true
	}
	operands := a.operands
	if a.op == opDuring && operands[1].(time.Time).Year() > 9999 {
		operands = operands[:1]
	}
	return slices.ContainsFunc(operands, func(v any) bool { return !a.exact(v, a.op) })
}

func (a decision) String() string { return fmt.Sprintf("%s %s %v", a.part, a.op, a.operands) }

// The example decides conditions on fields of the partition key. The result is the same as
// evaluating the condition for each item of the partition. If it is false, the query sends nothing.
// The negative control omits these conditions.
func TestConditionsOnThePartitionKey(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		client := e.Client(t)
		counted := &counting{Client: client}
		tables := testsize.Pick(30, 100, 300)
		if e.Name == engines.DynamoDBLocal {
			tables = testsize.Pick(5, 10, 30)
		}
		asked, held, refused, wrong := 0, 0, 0, 0
		for n := range tables {
			o := newOverlapping(t, r)
			name := fmt.Sprintf("overlapping%d", n)
			repo := o.fill(t, client, counted, name)
			for range 40 {
				like := pick(r, o.items...)
				decided, rest := o.decisions(r)
				if len(decided) == 0 {
					continue
				}
				about := fmt.Sprintf("%s, %s: %v and %v of %+v", template("P", o.partition), template("S", o.sort), decided, rest, *like)
				sent := counted.sent.Load()
				found, err := o.ask(t, repo, like, decided, rest)
				if slices.ContainsFunc(slices.Concat(decided, rest), decision.refused) {
					refused++
					require.ErrorIs(t, err, trestle.ErrInvalid, about)
					require.Equal(t, sent, counted.sent.Load(), about)
					continue
				}
				require.NoError(t, err, about)
				asked++
				want := o.answer(like, decided, rest)
				require.Equal(t, want, found, about)
				if slices.ContainsFunc(decided, func(a decision) bool { ok, _ := a.holds(a.kept(like), true); return !ok }) {
					require.Equal(t, sent, counted.sent.Load(), about)
				} else {
					held++
				}
				if !slices.Equal(want, o.answer(like, nil, rest)) {
					wrong++
				}
			}
		}
		t.Log("asked", asked, "held", held, "refused", refused, "wrong in the control", wrong)
		require.Positive(t, held)
		if e.Name == engines.InProcess { // few tables are too few for certainty
			require.Positive(t, refused)
		}
		require.Positive(t, wrong, "the control: what the partition decides is left out")
	})
}

func (o *overlapping) fill(t *testing.T, client *dynamodb.Client, counted trestle.Client, name string) *entity.Repo[sample] {
	t.Helper()
	table, err := o.schema.Open(client, name)
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	for _, one := range o.items {
		require.NoError(t, o.samples.In(table).Put(t.Context(), one))
	}
	table, err = o.schema.Open(counted, name)
	require.NoError(t, err)
	return o.samples.In(table)
}

// ask returns the numbers of the items that a query finds in the partition of an item.
func (o *overlapping) ask(t *testing.T, repo *entity.Repo[sample], like *sample, decided, rest []decision) (found []int, err error) {
	t.Helper()
	var in sample
	for _, p := range o.partition {
		p.set(&in, p.get(like))
	}
	var where []attr.KeyCond[sample]
	for _, a := range slices.Concat(decided, rest) {
		where = append(where, a.ask(a.op, a.operands...))
	}
	all, err := query.Of(repo, in).Where(where...).Collect(t.Context())
	for _, one := range all {
		found = append(found, one.Serial)
	}
	slices.Sort(found)
	return found, err
}

// answer returns the numbers of the items that the model finds.
func (o *overlapping) answer(like *sample, decided, rest []decision) (found []int) {
	for _, one := range o.items {
		in := !slices.ContainsFunc(o.partition, func(p part) bool { return compareTyped(p.kept(one), p.kept(like)) != 0 })
		for _, a := range slices.Concat(decided, rest) {
			holds, _ := a.holds(a.kept(one), true)
			in = in && holds
		}
		if in {
			found = append(found, one.Serial)
		}
	}
	return found
}
