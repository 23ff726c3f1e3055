package document

import (
	"cmp"
	"maps"
	"slices"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// places gives chunks their partitions. A document has numbered partitions for its chunks, and each
// chunk gets one that no other chunk of the document has, so that many chunks do not exceed the
// throughput of one partition. The numbers are as low as possible: the partitions of deleted chunks
// are used again.
//
// Chunks may share a partition: those of a save that fails, of a part that was not read, and of the
// former value, before they are deleted. Their sort keys are different.
type places struct {
	in   string // the name of the partitions
	used []Reference
}

// placesOf returns the places of a document whose snapshot may be nil.
func (s *store) placesOf(rootKey op.Item, at *snapshot) places {
	p := places{in: reserved.Chunks(s.root.plan.Name, s.schema.Identity(core.NewRow(rootKey)))}
	if at == nil {
		return p
	}
	for _, sort := range slices.Sorted(maps.Keys(at.items)) {
		for _, r := range at.items[sort].large {
			if r.In == p.in {
				p.used = append(p.used, r)
			}
		}
	}
	return p
}

// leave frees the partitions of a value that is replaced. A reference without an ID has none.
func (p *places) leave(r Reference) {
	p.used = slices.DeleteFunc(p.used, func(u Reference) bool { return u.ID == r.ID })
}

// take gives the chunks of a value the first partitions in a row that are free.
func (p *places) take(r *Reference) {
	r.In, r.First = p.in, 0
	slices.SortFunc(p.used, func(a, b Reference) int { return cmp.Compare(a.First, b.First) })
	for _, u := range p.used {
		if r.First+r.Chunks <= u.First {
			break
		}
		r.First = max(r.First, u.First+u.Chunks)
	}
	p.used = append(p.used, *r)
}
