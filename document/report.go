package document

import (
	"fmt"
	"reflect"
	"strings"
	"text/tabwriter"

	"github.com/trestledb/trestle"
)

// Report has the sizes and costs of a document.
type Report struct {
	Parts []PartReport
	// Whole is the size of one item with everything, in bytes. WholeUpdate is the cost of changing
	// one attribute of it in write units. Possible is false if it exceeds 400 KB.
	Whole       int
	WholeUpdate int
	Possible    bool
	// Read is the cost of reading the whole document, eventually consistent, in read units.
	Read float64
}

// PartReport has the sizes and costs of a part.
type PartReport struct {
	Part   string // the name of the field
	Items  int
	Chunks int
	Size   int // of its items and chunks, as they are stored, in bytes
	Write  int // the write units of all its items and chunks
	// Read is the cost of reading the part, eventually consistent, in read units.
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
	c, err := s.changes(v.Elem())
	if err != nil {
		return Report{}, s.failed(opReport, trestle.NoWrite, err)
	}
	r, err := c.report()
	return r, s.failed(opReport, trestle.NoWrite, err)
}

func (c *changes) report() (r Report, err error) {
	root, err := c.itemSize(c.root, c.doc.Field(c.root.index).Addr())
	if err != nil {
		return Report{}, err
	}
	packed := map[string]int{} // the sizes of new contents
	for _, b := range c.blobs {
		packed[b.ref.ID] = len(b.packed)
	}
	for _, p := range c.parts {
		one, whole, err := c.reportPart(p, root, packed)
		if err != nil {
			return Report{}, err
		}
		r.Parts = append(r.Parts, one)
		r.Whole += whole
		r.Read += one.Read
	}
	r.Possible = r.Whole <= maxItem
	r.WholeUpdate = writeUnits(r.Whole)
	return r, nil
}

// maxItem is the maximum size of an item in bytes.
const maxItem = 409_600

// reportPart reports a part, and its size in one item with the others.
func (c *changes) reportPart(p *part, root int, packed map[string]int) (r PartReport, whole int, err error) {
	r.Part = p.name
	heads, largest := 0, 0
	for _, e := range p.items(c.doc) {
		size, err := c.itemSize(p, e)
		if err != nil {
			return r, 0, err
		}
		r.Items++
		heads, largest, r.Write = heads+size, max(largest, size), r.Write+writeUnits(size)
		for _, ref := range p.references(e) {
			c.reportLarge(&r, ref, packed)
			whole += ref.Size
		}
	}
	whole += heads
	r.Size += heads
	r.Read += readUnits(heads)
	switch {
	case p.isRoot:
		r.Update = writeUnits(root)
	case r.Items > 0:
		r.Update = 2 * (writeUnits(root) + writeUnits(largest))
	}
	return r, whole, nil
}

// reportLarge adds the chunks of a large value. The size of a stored one that was compressed is
// known only up to a chunk.
func (c *changes) reportLarge(r *PartReport, ref Reference, packed map[string]int) {
	size, known := packed[ref.ID]
	if !known {
		size = min(ref.Size, ref.Chunks*chunkSize)
	}
	r.Chunks += ref.Chunks
	for ; size > 0; size -= chunkSize {
		const key = 100 // the key and the names of the attributes
		chunk := min(size, chunkSize) + key
		r.Size, r.Write, r.Read = r.Size+chunk, r.Write+writeUnits(chunk), r.Read+readUnits(chunk)
	}
}

func writeUnits(size int) int { return (size + 1023) / 1024 }

func readUnits(size int) float64 { return float64((size+4095)/4096) / 2 }

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
		fmt.Fprintf(&b, "as one item: %d bytes, impossible: the limit is %d\n", r.Whole, maxItem)
	} else {
		fmt.Fprintf(&b, "as one item: %d bytes, an update of one attribute costs %d write units\n", r.Whole, r.WholeUpdate)
	}
	return b.String()
}
