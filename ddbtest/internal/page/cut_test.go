package page

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// pager reads rows in pages. Rows may be deleted between two pages.
type pager interface {
	// next returns the names of a page's rows, and whether there is another page.
	next() (names []string, more bool)
	// remove deletes a row that was read.
	remove(name string)
}

// walk reads all pages. After each page it deletes some of the rows that were read, most often the
// last one. It returns the rows in the order in which they were read.
func walk(r *rand.Rand, p pager) (read []string, ends bool) {
	const forever = 10_000
	for range forever {
		names, more := p.next()
		read = append(read, names...)
		if !more {
			return read, true
		}
		if len(read) > 0 && r.IntN(2) == 0 {
			p.remove(read[len(read)-1])
		}
		if len(read) > 0 && r.IntN(4) == 0 {
			p.remove(read[r.IntN(len(read))])
		}
	}
	return read, false
}

// paging reads with the package, and with faults.
type paging struct {
	t     *testing.T
	db    *store.DB
	rows  map[string]value.Map
	ask   testQuery
	start value.Map
	steer func() engine.Overrides
	empty int // consecutive pages that a fault emptied
}

func (p *paging) next() (names []string, more bool) {
	p.t.Helper()
	steer := p.steer()
	// A fault that empties every page would never end.
	if p.empty >= 3 {
		steer.EmptyPage = false
	}
	out, err := p.ask.run(call(p.db, steer), p.start)
	require.NoError(p.t, err, "%+v from %v", p.ask, p.start)
	p.empty++
	if out.ScannedCount > 0 {
		p.empty = 0
	}
	if steer.Evaluate > 0 {
		require.LessOrEqual(p.t, out.ScannedCount, steer.Evaluate)
	}
	p.start = out.LastEvaluatedKey
	return ids(out.Items), p.start != nil
}

func (p *paging) remove(name string) {
	p.t.Helper()
	remove(p.t, p.db, p.rows[name])
}

// naivePager reads rows from a list, in one of two naive ways: it continues after the last returned
// row, or it counts rows.
type naivePager struct {
	rows    []value.Map
	filter  func(value.Map) bool
	limit   int
	byCount bool
	at      int    // where the next page starts, by count
	last    string // the last returned row
}

func (n *naivePager) next() (names []string, more bool) {
	at := n.at
	if !n.byCount {
		at = 1 + slices.IndexFunc(n.rows, func(row value.Map) bool { return ids([]value.Map{row})[0] == n.last })
	}
	end := min(at+n.limit, len(n.rows))
	for _, row := range n.rows[min(at, end):end] {
		if n.filter(row) {
			names = append(names, ids([]value.Map{row})...)
		}
	}
	n.at = end
	if len(names) > 0 {
		n.last = names[len(names)-1]
	}
	return names, end < len(n.rows)
}

func (n *naivePager) remove(name string) {
	n.rows = slices.DeleteFunc(n.rows, func(row value.Map) bool { return ids([]value.Map{row})[0] == name })
}

// TestPagesCoverAllItems checks that all rows are read if pages are cut, emptied or filtered, and
// rows are deleted meanwhile. Both naive pagers lose rows.
func TestPagesCoverAllItems(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	emptied, byRow, byCount := 0, 0, 0
	// Each naive pager fails in one of three cases.
	for range testsize.Pick(200, 400, 4_000) {
		rows := randomRows(r, 30)
		named := map[string]value.Map{}
		for i, name := range ids(rows) {
			named[name] = rows[i]
		}
		p := &paging{t: t, db: newDB(t, rows...), rows: named}
		var meant []value.Map
		p.ask, meant = randomQuery(r, rows)
		if r.IntN(4) == 0 {
			p.ask = testQuery{index: p.ask.index}
			out, err := p.ask.run(call(p.db, engine.Overrides{}), nil)
			require.NoError(t, err)
			meant = out.Items
		}
		p.ask.limit = r.Int64N(6)
		filter := func(value.Map) bool { return true }
		if r.IntN(2) == 0 {
			p.ask.filter = "odd = :odd"
			p.ask.values = with(p.ask.values, ":odd", value.Bool(true))
			filter = func(row value.Map) bool { return value.Equal(row.Get("odd"), value.Bool(true)) }
		}
		p.steer = func() engine.Overrides {
			s := engine.Overrides{EmptyPage: r.IntN(3) == 0, Evaluate: r.IntN(4)}
			if s.EmptyPage {
				emptied++
			}
			return s
		}
		read, ends := walk(r, p)
		require.True(t, ends)
		want := ids(slices.DeleteFunc(slices.Clone(meant), func(row value.Map) bool { return !filter(row) }))
		if want == nil {
			want = []string{}
		}
		require.Equal(t, want, append([]string{}, read...), "%+v", p.ask)

		for naive, failures := range map[*naivePager]*int{
			{rows: slices.Clone(meant), filter: filter, limit: 3}:                &byRow,
			{rows: slices.Clone(meant), filter: filter, limit: 3, byCount: true}: &byCount,
		} {
			if read, ends := walk(r, naive); !ends || !slices.Equal(want, append([]string{}, read...)) {
				*failures++
			}
		}
	}
	require.Positive(t, emptied)
	require.Positive(t, byRow, "going on from the last row that was returned would do")
	require.Positive(t, byCount, "counting rows would do")
}

func with(values map[string]value.Value, name string, v value.Value) map[string]value.Value {
	more := map[string]value.Value{name: v}
	for name, v := range values {
		more[name] = v
	}
	return more
}

// TestAnEmptyPageIsEmpty checks that a page is emptied wherever the range of the read has a key
// before the rows, and that all rows follow. The key is one that the next request accepts.
func TestAnEmptyPageIsEmpty(t *testing.T) {
	t.Parallel()
	m, p, n := value.Attribute{Name: "a", Value: value.String("m")}, value.String("p"), number
	id := func(name string) value.Attribute { return value.Attribute{Name: "id", Value: value.String(name)} }
	db := newDB(t, row("p", "5", m, id("1")), row("p", "7", m, id("2")), row("p", "9", m, id("3")))
	type values = map[string]value.Value
	both := []bool{false, true}
	for _, c := range []struct {
		testQuery
		emptied []bool // forward and backward
	}{
		{testQuery{condition: "pk = :p", values: values{":p": p}}, both},
		{testQuery{condition: "pk = :p AND sk > :n", values: values{":p": p, ":n": n("5")}}, both},
		{testQuery{condition: "pk = :p AND sk > :n", values: values{":p": p, ":n": n("6.99999999999999999999999999999999999")}}, both},
		{testQuery{condition: "pk = :p AND sk >= :n", values: values{":p": p, ":n": n("4")}}, both},
		{testQuery{condition: "pk = :p AND sk < :n", values: values{":p": p, ":n": n("8")}}, both},
		{testQuery{condition: "pk = :p AND sk BETWEEN :n AND :o", values: values{":p": p, ":n": n("6"), ":o": n("9.5")}}, both},
		{testQuery{condition: "pk = :p", values: values{":p": value.String("none")}}, both},
		{testQuery{condition: "pk = :p AND sk > :n", values: values{":p": p, ":n": n("9")}}, both},
		{testQuery{index: "turned", condition: "sk = :n AND pk >= :p", values: values{":p": value.String("o"), ":n": n("7")}}, both},
		{testQuery{index: "turned", condition: "sk = :n AND pk > :o", values: values{":o": value.String("o"), ":n": n("7")}}, both},
		{testQuery{index: "local", condition: "pk = :p AND a = :m", values: values{":p": p, ":m": m.Value}}, both},
		{testQuery{index: "local", condition: "pk = :p AND begins_with(a, :m)", values: values{":p": p, ":m": m.Value}}, both},
		{testQuery{index: "byText", condition: "a = :m", values: values{":m": m.Value}}, both},
		// There is no such key, or the table's key of an entry is not known.
		{testQuery{condition: "pk = :p AND sk = :n", values: values{":p": p, ":n": n("5")}}, nil},
		{testQuery{condition: "pk = :p AND sk >= :n", values: values{":p": p, ":n": n("5")}}, []bool{true}},
		{testQuery{condition: "pk = :p AND sk <= :n", values: values{":p": p, ":n": n("9")}}, []bool{false}},
		{testQuery{index: "turned", condition: "sk = :n AND begins_with(pk, :p)", values: values{":p": p, ":n": n("7")}}, []bool{true}},
		{testQuery{index: "byText", condition: "a = :m", values: values{":m": value.String("none")}}, nil},
		{testQuery{}, []bool{false}},
		{testQuery{index: "byText"}, []bool{false}},
	} {
		for _, c.backward = range both[:1+min(1, len(c.condition))] {
			requireEmptyPage(t, db, c.testQuery, slices.Contains(c.emptied, c.backward))
		}
	}
}

// requireEmptyPage reads a page that a fault empties, or not, and the rows after it.
func requireEmptyPage(t *testing.T, db *store.DB, a testQuery, emptied bool) {
	t.Helper()
	whole, err := a.run(call(db, engine.Overrides{}), nil)
	require.NoError(t, err)
	steered := call(db, engine.Overrides{EmptyPage: true})
	out, err := a.run(steered, nil)
	require.NoError(t, err)
	if !emptied {
		require.Equal(t, whole, out, "%+v", a)
		require.Zero(t, steered.Trace.Overridden)
		return
	}
	require.Empty(t, out.Items, "%+v", a)
	require.Zero(t, out.ScannedCount)
	require.NotNil(t, out.LastEvaluatedKey, "%+v", a)
	require.Equal(t, engine.OverrideEmptyPage, steered.Trace.Overridden)
	rest, err := a.run(call(db, engine.Overrides{}), out.LastEvaluatedKey)
	require.NoError(t, err, "%+v", a)
	require.Equal(t, whole.Items, rest.Items, "%+v", a)
}

// TestAnEmptyPageKeepsThePartition checks that the LastEvaluatedKey of an index has the partition
// key of an item, as that of the service has: the part before its last attribute tells the tenant.
func TestAnEmptyPageKeepsThePartition(t *testing.T) {
	t.Parallel()
	m := value.Attribute{Name: "a", Value: value.String("m")}
	db := newDB(t, row("tenant 1", "5", m), row("tenant 1", "7", m))
	for _, backward := range []bool{false, true} {
		q := testQuery{index: "byText", condition: "a = :m", values: map[string]value.Value{":m": m.Value}, backward: backward}
		out, err := q.run(call(db, engine.Overrides{EmptyPage: true}), nil)
		require.NoError(t, err)
		require.Equal(t, value.String("tenant 1"), out.LastEvaluatedKey.Get("pk"))
	}
}
