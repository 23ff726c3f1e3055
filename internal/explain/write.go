package explain

import (
	"cmp"
	"maps"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Operation is a write of one item to explain.
type Operation struct {
	Name       string
	Actions    []op.Action // the first is on the item
	Token      string      // empty: none
	Table      string
	ReadsFirst bool // the item is read first, and the actions are planned from it
	FindsNone  bool // that read finds no item
	Absent     int  // further reads that find no item
	ReadsAfter bool // if the actions are sent as a transaction, the item is read afterwards
}

// Write explains a put, an update, a delete, a check or a move. It assumes that a put replaces no
// item. It assumes that an update, upsert or delete finds an item in every index of its type. The
// size of an item that is read is a.ItemSize, or the size of the written item if a.ItemSize is 0.
func Write(w Operation, a trestle.Assumption) trestle.Explanation {
	act := &w.Actions[0]
	e := trestle.Explanation{
		Operation: w.Name, Entity: act.Plan.Name, Table: w.Table, Key: cmp.Or(act.Label, act.Plan.Table.Condition()), ReadsFirst: w.ReadsFirst,
		Condition: wordingOf(act).of(act.Expressions().Condition), Update: wordingOf(act).of(act.Expressions().Update), Assumed: withDefaults(a, 1),
		Expired: expiredIn(act),
	}
	e.Assumed.Items = 1
	if act.Verb == op.Put {
		e.Assumed = trestle.Assumption{Items: 1, ItemSize: act.Item.Size(), Exact: true}
	}
	e.Units.Write = writeUnits(e.Assumed.ItemSize)
	if e.Transaction = op.Transacted(w.Actions, w.Token); e.Transaction {
		e.Units.Write *= 2
	}
	for _, x := range act.Plan.Indexes {
		addIndex(&e, act, x.Index, e.Assumed)
	}
	if a.ItemSize <= 0 {
		a.ItemSize = e.Assumed.ItemSize
	}
	for i := range w.Actions[1:] {
		addAction(&e, &w.Actions[i+1], withDefaults(a, 1))
	}
	e.ReadsAfter = w.ReadsAfter && e.Transaction
	if e.ReadsFirst && w.FindsNone {
		e.Units.Read++
	} else if e.ReadsFirst {
		e.Units.Read += readSteps(a.ItemSize)
	}
	e.Units.Read += float64(w.Absent)
	if e.ReadsAfter {
		e.Units.Read += readSteps(a.ItemSize)
	}
	return e
}

// addAction adds a further action of the same operation: on the old item of a move, whose size is
// assumed, or on an item of the library.
func addAction(e *trestle.Explanation, act *op.Action, assumed trestle.Assumption) {
	if act.Counts != "" {
		e.Also = append(e.Also, "the count "+act.Counts)
		var counting trestle.Explanation
		for _, x := range act.Plan.Indexes {
			addIndex(&counting, act, x.Index, withDefaults(trestle.Assumption{}, 1))
		}
		e.AlsoIndexes = append(e.AlsoIndexes, counting.Indexes...)
		e.Units.Write += 2*writeUnits(DefaultItemSize) + counting.Units.Write
		return
	}
	if g := act.Guard; g != nil {
		what := "the guard of "
		if !g.Claims {
			what = "the old guard of "
		}
		e.Also = append(e.Also, what+g.Unique)
		e.Units.Write += 2 * writeUnits(act.Item.Size())
		return
	}
	if act.Label != "" {
		e.Also = append(e.Also, act.Label)
		e.Units.Write += 2 * writeUnits(act.Item.Size())
		return
	}
	e.Also = append(e.Also, "the old item: "+act.Plan.Table.Condition())
	e.Units.Write += 2 * writeUnits(assumed.ItemSize)
	for _, x := range act.Plan.Indexes {
		addIndex(e, act, x.Index, assumed)
	}
}

func wordingOf(act *op.Action) wording {
	if act.Verb == op.Get {
		return wording{schema: act.Plan.Schema, names: act.Names}
	}
	return wording{schema: act.Plan.Schema, names: act.Expressions().Names}
}

// addIndex adds the effect of a write on an index.
func addIndex(e *trestle.Explanation, act *op.Action, x *core.Index, assumed trestle.Assumption) {
	s := act.Plan.Schema
	size := assumed.ItemSize
	if !x.All() {
		size = assumed.EntrySize
	}
	switch act.Verb {
	case op.Put:
		if item := act.Item.Map(); on(x, item) {
			addEntry(e, x, "an entry", writeUnits(entrySize(s, x, item)))
		}
	case op.Delete:
		addEntry(e, x, "an entry taken away", writeUnits(size))
	case op.Update:
		switch touched := act.Changes.Touched(); {
		case slices.ContainsFunc(keyOf(x), func(a core.Attribute) bool { return act.Changes.Removes(a.Name) }):
			addEntry(e, x, "an entry taken away", writeUnits(size))
		case moves(x, touched):
			addEntry(e, x, "an entry moved", 2*writeUnits(size))
		case projects(s, x, touched):
			addEntry(e, x, "an entry changed", writeUnits(size))
		}
	}
}

func addEntry(e *trestle.Explanation, x *core.Index, what string, units float64) {
	e.Indexes = append(e.Indexes, x.Name+" ("+what+")")
	e.Units.Write += units
}

// on reports whether an item is in an index, that is, has all its key attributes.
func on(x *core.Index, item op.Item) bool {
	return !slices.ContainsFunc(keyOf(x), func(a core.Attribute) bool { return item[a.Name] == nil })
}

func keyOf(x *core.Index) []core.Attribute { return slices.Concat(x.Partition, x.Sort) }

// entrySize returns the size of an item's entry in an index.
func entrySize(s *core.Schema, x *core.Index, item op.Item) int {
	entry := maps.Clone(item)
	maps.DeleteFunc(entry, func(name string, _ codec.AV) bool { return !x.Projects(s, name) })
	return codec.ItemSize(entry)
}

// moves reports whether changes of the touched attributes change an index's key.
func moves(x *core.Index, touched map[string]bool) bool {
	return slices.ContainsFunc(keyOf(x), func(a core.Attribute) bool { return touched[a.Name] })
}

func projects(s *core.Schema, x *core.Index, touched map[string]bool) bool {
	for name := range touched {
		if x.Projects(s, name) {
			return true
		}
	}
	return false
}
