package costtest

import (
	"reflect"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
)

// assumed returns the assumption for the explanation of a write: the larger of the items before and
// after it.
func (r *request) assumed() trestle.Assumption {
	a := trestle.Assumption{Items: 1, ItemSize: max(1, codec.ItemSize(r.before), codec.ItemSize(r.after))}
	for _, x := range r.indexes {
		if !x.all {
			a.EntrySize = max(a.EntrySize, codec.ItemSize(x.entry(r.before)), codec.ItemSize(x.entry(r.after)))
		}
	}
	return a
}

// expected returns the expected cost of a write in units. The explanation assumes a certain earlier
// item ([trestle.Explanation] documents it); expected corrects the cost for the real earlier item.
// The real cost may be lower by slack: if an index entry kept its key, the explanation may or may
// not assume it.
func (r *request) expected(x trestle.Explanation) (units, slack float64) {
	units = x.Units.Write
	if r.op == putItem {
		units += max(0, writeUnits(r.before)-writeUnits(r.after))
	}
	for _, on := range r.indexes {
		before, after := on.entry(r.before), on.entry(r.after)
		cost := entryUnits(on, before, after)
		switch size := assumedUnits(x, on); {
		case r.op == putItem:
			units += cost - writeUnits(after)
		case !namesIndex(x, on.name):
		case after == nil: // deletes an entry, if there is one
			units += cost - size
		case before == nil || keyChanged(on, before, after):
			units += cost - 2*size
		default:
			units += cost - size
			slack += size
		}
	}
	return units, slack
}

// expectedInTransaction is expected for an action of a transaction, in which an item costs twice
// its units.
func (r *request) expectedInTransaction(x trestle.Explanation) (units, slack float64) {
	units, slack = r.expected(x)
	if r.op == putItem {
		units += max(0, writeUnits(r.before)-writeUnits(r.after))
	}
	return units, slack
}

// expectedReads returns the expected cost of the reads of a write in units. The explanation assumes
// that a put finds no item.
func (r *request) expectedReads(x trestle.Explanation) float64 {
	if r.op == putItem && x.Operation == "put" && x.ReadsFirst {
		return x.Units.Read - 1 + max(1, float64((codec.ItemSize(r.before)+4095)/4096))
	}
	return x.Units.Read
}

// entryUnits returns the cost of the change of an index entry in write units.
func entryUnits(on index, before, after item) float64 {
	switch {
	case reflect.DeepEqual(before, after):
		return 0
	case keyChanged(on, before, after):
		return writeUnits(before) + writeUnits(after)
	default:
		return max(writeUnits(before), writeUnits(after))
	}
}

// keyChanged reports whether an entry exists before and after a write, with different keys.
func keyChanged(on index, before, after item) bool {
	return before != nil && after != nil && !reflect.DeepEqual(pick(before, on.key), pick(after, on.key))
}

// assumedUnits returns the cost of one entry of the assumed size.
func assumedUnits(x trestle.Explanation, on index) float64 {
	if on.all {
		return kilobytes(x.Assumed.ItemSize)
	}
	return kilobytes(x.Assumed.EntrySize)
}

// namesIndex reports whether an explanation lists an index as written.
func namesIndex(x trestle.Explanation, index string) bool {
	for _, line := range x.Indexes {
		if name, _, _ := strings.Cut(line, " "); name == index {
			return true
		}
	}
	return false
}

// writeUnits returns the cost of writing an item; 0 for nil.
func writeUnits(it item) float64 { return kilobytes(codec.ItemSize(it)) }

// kilobytes returns a size in KB, rounded up.
func kilobytes(size int) float64 { return float64((size + 1023) / 1024) }
