package page

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// maxPage is the number of bytes at which a page is full. It includes the item that reaches it.
const maxPage = 1 << 20

// maxFiltered is the number of bytes that a filter may evaluate for one page, in addition to the
// items. It ends a page of many small items with a filter that has large values, so that a request
// does not block others for long.
const maxFiltered = 1 << 30

// readUnitSize is the bytes of one read unit.
const readUnitSize = 4 << 10

// pageReader is the state of reading one page.
type pageReader struct {
	call       *engine.Call
	source     source
	selection  selection
	spans      []span    // what is left to read, in order
	startKey   value.Map // as requested, for a page that a fault rule empties
	forward    bool
	consistent bool
	limit      int // 0 is no limit
	maxItems   int // that the page returns; 0 is no limit

	// for a query
	condition *expression.KeyCondition // of the first partition
	single    bool                     // there is at most one item

	out     api.PageOutput
	bytes   int // of entries read
	fetched int // of items fetched for entries of a local index, each rounded up to units
}

// span is the range of places that a page reads in one partition, or in all of them.
type span struct {
	partition string // encoded; "" for a scan
	bounds    keyRange
}

// run reads the page.
func (r *pageReader) run(capacityMode string) *api.PageOutput {
	if r.selection.mode != countOnly {
		r.out.Items = []value.Map{}
	}
	switch {
	case len(r.spans) == 0:
		r.call.Meter.Add(capacity.Use{Table: r.source.table.Name})
	case r.returnEmptyPage():
		r.addCharge(r.spans[0].partition, 0, 0)
	default:
		r.readSpans()
	}
	r.addTrace()
	r.out.ConsumedCapacity = r.call.Meter.Consumed(r.source.table.Name, capacityMode, false)
	return &r.out
}

// readSpans reads items until the page is full, and charges each partition for what was read of it.
func (r *pageReader) readSpans() {
	var last value.Map
	for _, s := range r.spans {
		bytes, fetched := r.bytes, r.fetched
		read, full := r.readItems(s.bounds, last)
		r.addCharge(s.partition, r.bytes-bytes, r.fetched-fetched)
		if last = read; full {
			return
		}
	}
}

// readItems reads the items of a range until the page is full. It returns the last item that was
// read, of this range or of an earlier one. A page that reaches the limit of items has a
// LastEvaluatedKey even if nothing follows, unless there can be only one item. A page that reaches
// the limit of bytes has one only if another item follows.
func (r *pageReader) readItems(bounds keyRange, before value.Map) (last value.Map, full bool) {
	limit := r.limit
	if cut := r.call.Overrides.Evaluate; cut > 0 && (limit == 0 || cut < limit) {
		limit = cut
	}
	fetch := r.selection.fetches(r.source)
	last = before
	for _, item := range r.source.read(bounds, r.forward) {
		if r.size() >= maxPage || r.filtered() >= maxFiltered {
			r.out.LastEvaluatedKey = r.source.position(last)
			return last, true
		}
		r.addEntry(item, fetch)
		last = item
		if r.out.ScannedCount == limit && !r.single {
			if limit == r.call.Overrides.Evaluate {
				r.call.Trace.Overridden |= engine.OverrideEvaluate
			}
			r.out.LastEvaluatedKey = r.source.position(last)
			return last, true
		}
		if r.maxItems > 0 && r.out.Count == r.maxItems {
			r.out.LastEvaluatedKey = r.source.position(last)
			return last, true
		}
	}
	return last, false
}

// filtered returns the bytes that the filter has evaluated.
func (r *pageReader) filtered() int64 {
	if r.selection.filter == nil {
		return 0
	}
	return int64(r.out.ScannedCount) * int64(r.selection.filter.Size())
}

// size returns how much of the page is filled, in bytes. If items are fetched for entries, it is
// the charged size: that of all entries and of each item, rounded up.
func (r *pageReader) size() int {
	if r.fetched == 0 {
		return r.bytes
	}
	return roundUpToUnits(r.bytes) + r.fetched
}

// roundUpToUnits returns the bytes rounded up to read units.
func roundUpToUnits(bytes int) int { return (bytes + readUnitSize - 1) / readUnitSize * readUnitSize }

// addEntry counts the index entry, and the item if it must be fetched. It keeps what passes the
// filter.
func (r *pageReader) addEntry(item value.Map, fetch bool) {
	entry, read := item, item
	if ix := r.source.index; ix != nil {
		entry = ix.Project(item)
	}
	r.bytes += entry.Size()
	r.out.ScannedCount++
	if fetch {
		r.fetched += roundUpToUnits(item.Size())
	} else {
		read = entry
	}
	if r.selection.filter != nil && !r.selection.filter.Eval(read) {
		return
	}
	r.out.Count++
	switch {
	case r.selection.mode == countOnly:
	case r.selection.projection != nil:
		r.out.Items = append(r.out.Items, r.selection.projection.Apply(read))
	case r.selection.mode == allAttributes:
		r.out.Items = append(r.out.Items, read)
	default:
		r.out.Items = append(r.out.Items, entry)
	}
}

// addCharge charges the bytes of entries and of fetched items of one partition.
func (r *pageReader) addCharge(partition string, bytes, fetched int) {
	use := capacity.Use{
		Table: r.source.table.Name, Partition: partition,
		Read: capacity.ReadUnits(bytes, r.consistent, false),
	}
	if ix := r.source.index; ix != nil {
		use.Index, use.Local = ix.Name, ix.Local
	}
	r.call.Meter.Add(use)
	if fetched > 0 {
		r.call.Meter.Add(capacity.Use{Table: use.Table, Partition: partition, Read: capacity.ReadUnits(fetched, r.consistent, false)})
	}
}

func (r *pageReader) addTrace() {
	t := &r.call.Trace
	t.Evaluated, t.Returned = r.out.ScannedCount, r.out.Count
	t.Filtered = r.selection.filter != nil
	t.HasMore = r.out.LastEvaluatedKey != nil
}
