package costtest

import (
	"reflect"
	"strings"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
)

// assumed is what an explanation of a write is to rest on: the item before or after it, whichever
// is larger, as the service counts.
func (r *request) assumed() entity.Assumption {
	a := entity.Assumption{Items: 1, ItemSize: max(1, codec.ItemSize(r.before), codec.ItemSize(r.after))}
	for _, x := range r.indexes {
		if !x.all {
			a.EntrySize = max(a.EntrySize, codec.ItemSize(x.entry(r.before)), codec.ItemSize(x.entry(r.after)))
		}
	}
	return a
}

// expected is what a write should cost by its explanation, in units. [entity.Explanation] documents
// which item Explain takes the write to meet: this corrects it for the item that it did meet. It
// may be less by slack, because an entry kept its key, and the explanation does not say whether it
// allowed for that.
func (r *request) expected(x entity.Explanation) (units, slack float64) {
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
		case !explained(x, on.name):
		case after == nil: // an entry is taken away, if there is one
			units += cost - size
		case before == nil || moved(on, before, after):
			units += cost - 2*size
		default:
			units += cost - size
			slack += size
		}
	}
	return units, slack
}

// entryUnits is what the service charges for an index.
func entryUnits(on index, before, after item) float64 {
	switch {
	case reflect.DeepEqual(before, after):
		return 0
	case moved(on, before, after):
		return writeUnits(before) + writeUnits(after)
	default:
		return max(writeUnits(before), writeUnits(after))
	}
}

// moved reports whether an entry is there before and after a write, under another key.
func moved(on index, before, after item) bool {
	return before != nil && after != nil && !reflect.DeepEqual(pick(before, on.key), pick(after, on.key))
}

// assumedUnits is what one entry costs at the size that an explanation assumes.
func assumedUnits(x entity.Explanation, on index) float64 {
	if on.all {
		return kilobytes(x.Assumed.ItemSize)
	}
	return kilobytes(x.Assumed.EntrySize)
}

// explained reports whether an explanation has an index among those that are written.
func explained(x entity.Explanation, index string) bool {
	for _, line := range x.Indexes {
		if name, _, _ := strings.Cut(line, " "); name == index {
			return true
		}
	}
	return false
}

// writeUnits is what it costs to write an item; of nil nothing.
func writeUnits(it item) float64 { return kilobytes(codec.ItemSize(it)) }

// kilobytes is the number of KB begun.
func kilobytes(size int) float64 { return float64((size + 1023) / 1024) }
