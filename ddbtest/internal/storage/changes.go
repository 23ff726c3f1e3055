package storage

import (
	"bytes"
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Entry is an entry of a storage. As a change, an entry without a value is deleted.
type Entry struct{ Key, Value []byte }

// Changes returns the changes from the entries of one state to those of another, except for the
// entry of the state itself, which every update changes.
func Changes(older, newer *store.State) []Entry {
	c := new(changes)
	for _, name := range names(older.Tables, newer.Tables) {
		c.table(name, older.Tables[name], newer.Tables[name])
	}
	for _, arn := range names(older.Streams, newer.Streams) {
		c.stream(arn, older.Streams[arn], newer.Streams[arn])
	}
	for token, t := range btree.Changes(&older.Tokens, &newer.Tokens, sameToken) {
		c.set(keyOf(tokenKind, token), nil, tokenText(t))
	}
	return c.list
}

// names returns the keys of two maps, in order.
func names[V any](a, b map[string]V) []string {
	all := slices.AppendSeq(slices.Sorted(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// changes is a list of changes.
type changes struct{ list []Entry }

// set adds the change of an entry from one value to another, if they differ. nil is no entry.
func (c *changes) set(key, older, newer []byte) {
	if newer == nil || !bytes.Equal(older, newer) {
		c.list = append(c.list, Entry{key, newer})
	}
}

// table adds the changes of a table and its items. nil is no table.
func (c *changes) table(name string, older, newer *store.Table) {
	c.set(keyOf(tableKind, name), tableText(older), tableText(newer))
	for place, item := range btree.Changes(itemsOf(older), itemsOf(newer), sameItem) {
		c.set(keyOf(itemKind, name, place), nil, itemText(item))
	}
}

// stream adds the changes of a stream and its records. nil is no stream.
func (c *changes) stream(arn string, older, newer *store.Stream) {
	c.set(keyOf(streamKind, arn), streamText(older), streamText(newer))
	for sequence, r := range btree.Changes(recordsOf(older), recordsOf(newer), sameRecord) {
		c.set(keyOf(recordKind, arn, sequence), nil, recordText(r))
	}
}

func itemsOf(t *store.Table) *btree.Tree[value.Map] {
	if t == nil {
		return new(btree.Tree[value.Map])
	}
	return t.Items()
}

func recordsOf(st *store.Stream) *btree.Tree[store.Change] {
	if st == nil {
		return new(btree.Tree[store.Change])
	}
	return &st.Records
}

// sameItem reports whether two items are one in memory. Items are never changed in place.
func sameItem(a, b value.Map) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// sameRecord compares two records of one sequence number, which never change.
func sameRecord(a, b store.Change) bool { return a.Sequence == b.Sequence }

func sameToken(a, b store.Token) bool { return a == b }
