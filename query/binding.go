package query

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/read"
)

// The kinds of reads that give cursors. Reads of two kinds never take each other's.
const (
	kindQuery      = "query"
	kindCollection = "collection"
	kindScan       = "scan"
	kindScanTable  = "scan of the table"
	kindScanStored = "scan of what is stored"
)

// newBinding binds a cursor to what every read has.
func newBinding(kind, table string, entity *core.Plan, index *core.Index, basis []string) cursor.Binding {
	b := cursor.NewBinding()
	b.Text(kind)
	b.Text(table)
	b.Flag(entity != nil)
	if entity != nil {
		b.Text(entity.Name)
	}
	b.Flag(index != nil)
	if index != nil {
		b.Text(index.Name)
	}
	b.Texts(basis)
	return b
}

// binding is what a cursor of this read is bound to: whatever decides which items come, and in
// which order.
func (r *request) binding(p *read.Plan) cursor.Binding {
	kind := kindQuery
	if p.Mixed {
		kind = kindCollection
	}
	b := newBinding(kind, r.env.Table, p.Entity, p.Index, p.Basis())
	b.Flag(p.Desc)
	b.Flag(p.Strong)
	b.Text(p.Filter)
	b.Text(p.Projection)
	for i := range p.Parts() {
		part := p.Part(i)
		b.Text(part.KeyCondition)
		b.Names(part.Names)
		b.Values(part.Values)
		b.Flag(part.Empty)
	}
	b.Texts(r.bound)
	return b
}

// binding is what the scan's cursors are bound to.
func (s *scan) binding(p *read.ScanPlan) cursor.Binding {
	b := newBinding(s.kind, s.env.Table, p.Entity, p.Index, p.Basis())
	b.Number(s.segments)
	b.Flag(p.Strong)
	b.Text(p.Filter)
	b.Names(p.Names)
	b.Values(p.Values)
	b.Texts(s.bound)
	return b
}
