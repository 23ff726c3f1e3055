package explain

import (
	"regexp"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Write explains a put, an update or a delete. A put is taken to meet no earlier item, an update and a delete one that is on every index that its
// type can be on.
func Write(name string, act *op.Action, table string, a Assumption) Report {
	r := Report{
		Operation: name, Entity: act.Plan.Name, Table: table, Key: keyText(act.Plan),
		Condition: plain(act.Condition, act.Names), Update: plain(act.Update, act.Names), Assumed: a.orDefault(1),
	}
	r.Assumed.Items = 1
	var touched map[string]bool
	switch act.Verb {
	case op.Put:
		r.Assumed = Assumption{Items: 1, ItemSize: codec.ItemSize(act.Item), Exact: true}
	case op.Update:
		touched = touchedBy(act)
	}
	r.Units.Write = writeUnits(r.Assumed.ItemSize)
	for _, x := range act.Plan.Indexes {
		size := r.Assumed.ItemSize
		switch {
		case act.Verb == op.Put && !on(x.Index, act.Item):
			continue
		case act.Verb == op.Put:
			size = entrySize(act.Plan.Schema, x.Index, act.Item)
			r.index(x.Index, "an entry", writeUnits(size))
		case act.Verb == op.Delete:
			r.index(x.Index, "an entry taken away", writeUnits(size))
		case moves(x.Index, touched):
			r.index(x.Index, "an entry moved", 2*writeUnits(size))
		case projects(act.Plan.Schema, x.Index, touched):
			r.index(x.Index, "an entry changed", writeUnits(size))
		}
	}
	return r
}

func (r *Report) index(x *core.Index, what string, units float64) {
	r.Writes = append(r.Writes, x.Name+" ("+what+")")
	r.Units.Write += units
}

// writeUnits is one unit for each KB begun.
func writeUnits(size int) float64 { return float64(max(1, steps(size, 1024))) }

// on reports whether an item is on an index: it has all its key attributes.
func on(x *core.Index, item op.Item) bool {
	for _, side := range [][]core.Attribute{x.Partition, x.Sort} {
		for _, a := range side {
			if _, ok := item[a.Name]; !ok {
				return false
			}
		}
	}
	return true
}

// entrySize is the size of what an index holds of an item.
func entrySize(s *core.Schema, x *core.Index, item op.Item) int {
	entry := op.Item{}
	for name, av := range item {
		if x.Projects(s, name) {
			entry[name] = av
		}
	}
	return codec.ItemSize(entry)
}

// moves reports whether a change touches an index's key.
func moves(x *core.Index, touched map[string]bool) bool {
	for _, side := range [][]core.Attribute{x.Partition, x.Sort} {
		for _, a := range side {
			if touched[a.Name] {
				return true
			}
		}
	}
	return false
}

func projects(s *core.Schema, x *core.Index, touched map[string]bool) bool {
	for name := range touched {
		if x.Projects(s, name) {
			return true
		}
	}
	return false
}

var placeholder = regexp.MustCompile(`#[0-9A-Za-z_]+`)

// touchedBy lists the attributes that an update speaks of.
func touchedBy(act *op.Action) map[string]bool {
	touched := map[string]bool{}
	for _, mark := range placeholder.FindAllString(act.Update, -1) {
		touched[act.Names[mark]] = true
	}
	return touched
}
