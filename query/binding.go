package query

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/read"
)

// The kinds of reads that return cursors. A read rejects a cursor of another kind.
const (
	kindQuery      = "query"
	kindCollection = "collection"
	kindScan       = "scan"
	kindScanTable  = "scan of the table"
	kindScanStored = "scan of what is stored"
)

// newBinding returns a cursor binding to the properties that every read has.
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

// binding returns the binding for cursors of this read. It covers everything that determines which
// items the read returns, and in which order.
func (r *request) binding(p *read.Plan) cursor.Binding {
	kind := kindQuery
	if p.AllTypes {
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

// binding returns the binding for cursors of this scan.
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
