package costtest

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/trestledb/trestle"
)

// matchFetch takes the batch reads of the items of the entries that a query with Fetch read. It
// compares the cost of both parts with the explanation.
func (q multiRead) matchFetch(l *openRequests, sent []*request) error {
	a := itemsRead(sent)
	a.EntrySize = a.ItemSize
	x, err := q.explain(a)
	if err != nil {
		return err
	}
	one, err := q.explain(trestle.Assumption{Items: 1, ItemSize: 1})
	if err != nil {
		return err
	}
	strong := one.FetchUnits.Read == 1
	batches := l.take(len(l.list), func(r *request) bool { return r.op == batchGetItem && readsEntries(r, sent, strong) })
	if len(batches) == 0 && len(entriesOf(sent)) > 0 && x.Filter == "" {
		return fmt.Errorf("not sent: the batch reads of %s", x)
	}
	units := x.Units.Read - x.FetchUnits.Read
	for _, r := range batches {
		for _, at := range r.targets {
			one, err := q.explain(trestle.Assumption{Items: 1, ItemSize: max(1, at.size)})
			if err != nil {
				return err
			}
			units += one.FetchUnits.Read
		}
	}
	return compare(x.String(), "read", units, float64(q.n)*roundingTolerance(x), slices.Concat(sent, batches))
}

// readsEntries reports whether a batch read reads only items of entries that queries returned.
func readsEntries(r *request, queries []*request, strong bool) bool {
	entries := entriesOf(queries)
	return !slices.ContainsFunc(r.targets, func(at target) bool {
		return at.strong != strong || at.table != queries[0].table || !slices.ContainsFunc(entries, func(it item) bool { return hasKey(it, at.key) })
	})
}

func entriesOf(queries []*request) (entries []item) {
	for _, r := range queries {
		entries = append(entries, r.entries...)
	}
	return entries
}

// hasKey reports whether an index entry is that of the item with a key.
func hasKey(entry, key item) bool {
	for name, av := range key {
		if !reflect.DeepEqual(entry[name], av) {
			return false
		}
	}
	return true
}
