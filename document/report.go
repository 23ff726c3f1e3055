package document

import (
	"fmt"
	"reflect"
	"strings"
	"text/tabwriter"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/write"
)

// Report has the sizes and costs of a document.
type Report struct {
	// Parts has the root and each part, in the order of the fields. The sum of Size is what the
	// document takes in the table, without the guards of unique values. The sum of Write is the
	// cost of putting all items and chunks one by one; a save costs twice as much for the items,
	// because it is a transaction.
	Parts []PartReport
	// Whole is the size of one item with everything, in bytes, with large values that are not
	// compressed. WholeUpdate is the cost of changing one attribute of it in write units. Possible
	// is false if it exceeds 400 KB.
	Whole       int
	WholeUpdate int
	Possible    bool
	// Read is the cost of reading the whole document with its queries, eventually consistent, in
	// read units.
	Read float64
}

// PartReport has the sizes and costs of a part.
type PartReport struct {
	Part   string // the name of the field
	Items  int
	Chunks int
	Size   int // of its items and chunks, as they are stored, in bytes
	// Write is one write unit per KB of each item and chunk. [Repo.Save] says what a save costs: it
	// writes items in transactions, at twice the units.
	Write int
	// Read is the cost of reading the part without the root, eventually consistent, in read units.
	// [Repo.Read] reads the items of several parts in one query, which can cost less.
	Read float64
	// Update is the cost of changing one attribute, that is not large, of its largest item: the
	// transaction of the item and the root, in write units.
	Update int
}

func (s *store) report(d any) (Report, error) {
	v := reflect.ValueOf(d)
	switch {
	case s.err != nil:
		return Report{}, s.failed(opReport, trestle.NoWrite, s.err)
	case v.IsNil():
		return Report{}, s.failed(opReport, trestle.NoWrite, errNil)
	}
	own, err := s.ofTenant(d)
	var c *changes
	if err == nil {
		c, err = own.changes(v.Elem())
	}
	if err != nil {
		return Report{}, s.failed(opReport, trestle.NoWrite, err)
	}
	r, err := c.report()
	return r, s.failed(opReport, trestle.NoWrite, err)
}

func (c *changes) report() (r Report, err error) {
	c.stamp()
	root, err := c.itemSize(c.root, c.doc.Field(c.root.index).Addr())
	if err != nil {
		return Report{}, err
	}
	heads := map[*part]int{}
	for _, p := range c.parts {
		one, size, err := c.reportPart(p, root)
		if err != nil {
			return Report{}, err
		}
		r.Parts = append(r.Parts, one.PartReport)
		r.Whole += one.whole
		r.Read += one.Read - readUnits(size)
		heads[p] = size
	}
	for _, together := range c.groups(c.parts) {
		size := 0
		for _, p := range together {
			size += heads[p]
		}
		r.Read += max(readUnits(size), minRead)
	}
	r.Possible = r.Whole <= write.MaxItem
	r.WholeUpdate = writeUnits(r.Whole)
	return r, nil
}

// partReport is the report of a part, with its size in one item with the others.
type partReport struct {
	PartReport
	whole int
}

// reportPart reports a part. It also returns the size of its items without the chunks.
func (c *changes) reportPart(p *part, root int) (r partReport, heads int, err error) {
	r.Part = p.name
	largest := 0
	for _, e := range p.items(c.doc) {
		size, err := c.itemSize(p, e)
		if err != nil {
			return r, 0, err
		}
		r.Items++
		heads, largest, r.Write = heads+size, max(largest, size), r.Write+writeUnits(size)
		for i := range p.large {
			value, stored := p.large[i].of(e)
			packed, err := packedSize(value, stored)
			if err != nil {
				return r, 0, err
			}
			r.addChunks(packed)
			r.whole += stored.ref.Size
		}
	}
	r.whole += heads
	r.Size += heads
	r.Read += readUnits(heads)
	switch {
	case p.isRoot:
		r.Update = writeUnits(root)
	case r.Items > 0:
		r.Update = 2 * (writeUnits(root) + writeUnits(largest))
	}
	return r, heads, nil
}

// packedSize returns the size of the chunks of a large value. A compressed one is compressed again.
func packedSize(value any, stored *content) (int, error) {
	if !stored.ref.Packed {
		return stored.ref.Size, nil
	}
	if !stored.loaded {
		return min(stored.ref.Size, stored.ref.Chunks*chunkSize), nil
	}
	data, err := encodeContent(value)
	return len(deflate(data)), err
}

// addChunks adds the chunks of a large value.
func (r *PartReport) addChunks(size int) {
	for ; size > 0; size -= chunkSize {
		const key = 100 // the key and the names of the attributes
		chunk := min(size, chunkSize) + key
		r.Chunks++
		r.Size, r.Write, r.Read = r.Size+chunk, r.Write+writeUnits(chunk), r.Read+readUnits(chunk)
	}
}

func writeUnits(size int) int { return (size + 1023) / 1024 }

func readUnits(size int) float64 { return float64((size+4095)/4096) / 2 }

// minRead is the cost of a query that finds nothing, in read units.
const minRead = 0.5

// String returns the report as a table.
func (r Report) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "part\titems\tchunks\tbytes\twrite all\tread all\tupdate one\t")
	for _, p := range r.Parts {
		_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.1f\t%d\t\n", p.Part, p.Items, p.Chunks, p.Size, p.Write, p.Read, p.Update)
	}
	_ = w.Flush() // a Builder never fails
	if !r.Possible {
		fmt.Fprintf(&b, "as one item: %d bytes, impossible: the limit is %d\n", r.Whole, write.MaxItem)
	} else {
		fmt.Fprintf(&b, "as one item: %d bytes, an update of one attribute costs %d write units\n", r.Whole, r.WholeUpdate)
	}
	return b.String()
}
