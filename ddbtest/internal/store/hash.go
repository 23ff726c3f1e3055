package store

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Hash returns a hash of the tables: their definitions, settings and items. Two states have the
// same hash if these are equal, whatever the order in which they were written. It does not include
// what depends on that order, or on the time: IDs, times, the records of streams, the tokens of
// transactions, and what stale reads see. Index entries follow from the items.
//
// After a fork, the cost depends on the number of changes: see [btree.Tree.Sum].
func (s *State) Hash() [32]byte {
	var e value.Encoding
	for _, name := range slices.Sorted(maps.Keys(s.Tables)) {
		s.Tables[name].encode(&e)
	}
	return sha256.Sum256(e)
}

// encode appends the definition of the table and the sum of its items.
func (t *Table) encode(e *value.Encoding) {
	e.Text(t.Name)
	t.Key.encode(e)
	definition := slices.SortedFunc(slices.Values(t.Definition), func(a, b KeyAttribute) int { return cmp.Compare(a.Name, b.Name) })
	encodeKeyAttributes(e, definition)
	indexes := slices.SortedFunc(slices.Values(t.Indexes), func(a, b *Index) int { return cmp.Compare(a.Name, b.Name) })
	e.Count(len(indexes))
	for _, ix := range indexes {
		ix.encode(e)
	}
	e.Flag(t.OnDemandBilling)
	t.Throughput.encode(e)
	t.OnDemandLimit.encode(e)
	t.Warm.encode(e)
	t.Settings.encode(e)
	e.Flag(t.DeletionProtected)
	e.Text(t.TTL.Attribute)
	e.Int(t.Recovery.Days)
	view := ""
	if t.Stream != nil {
		view = t.Stream.View
	}
	e.Text(view)
	e.Count(len(t.Tags))
	for _, key := range slices.Sorted(maps.Keys(t.Tags)) {
		e.Text(key)
		e.Text(t.Tags[key])
	}
	for _, inProgress := range []bool{!t.ActiveAt.IsZero(), !t.UpdatedAt.IsZero(), !t.DeleteAt.IsZero()} {
		e.Flag(inProgress)
	}

	e.Count(t.items.Len())
	var scratch value.Encoding
	sum := t.items.Sum(func(_ string, item value.Map) [32]byte {
		scratch = scratch[:0]
		scratch.Value(item)
		return sha256.Sum256(scratch)
	})
	*e = append(*e, sum[:]...)
}

func (ix *Index) encode(e *value.Encoding) {
	e.Text(ix.Name)
	e.Flag(ix.Local)
	ix.Key.encode(e)
	e.Text(ix.Projection.Type)
	e.Texts(slices.Sorted(slices.Values(ix.Projection.Names)))
	ix.Throughput.encode(e)
	ix.Limit.encode(e)
	ix.Warm.encode(e)
	for _, inProgress := range []bool{!ix.ActiveAt.IsZero(), !ix.UpdatedAt.IsZero(), !ix.DeleteAt.IsZero()} {
		e.Flag(inProgress)
	}
}

func (k KeySchema) encode(e *value.Encoding) {
	encodeKeyAttributes(e, k.Partition)
	encodeKeyAttributes(e, k.Sort)
}

func encodeKeyAttributes(e *value.Encoding, attributes []KeyAttribute) {
	e.Count(len(attributes))
	for _, a := range attributes {
		e.Text(a.Name)
		e.Int(int64(a.Kind))
	}
}

func (w WarmThroughput) encode(e *value.Encoding) {
	e.Int(w.Read)
	e.Int(w.Write)
}

func (p Throughput) encode(e *value.Encoding) {
	e.Int(p.Read)
	e.Int(p.Write)
}
