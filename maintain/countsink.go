package maintain

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/scan"
	"github.com/trestledb/trestle/internal/write"
)

// countSink counts the items of a read by the items that count them.
type countSink struct {
	task   *countTask
	checks map[string]*write.CountCheck // by the identity of the counting item's key
	only   bool                         // other counting items are not collected, and the report does not change
}

// sink returns the sink of a read.
func (s *countSink) sink() *scan.Sink { return &scan.Sink{Item: s.item} }

// item counts an item.
func (s *countSink) item(p *core.Plan, row core.Row) {
	if len(p.Counters) > 0 && !s.only && !s.task.dead(p, row) {
		s.task.Locked(func() { s.task.report.Counting++ })
		c := s.check(p, s.task.Schema.KeyOf(row))
		c.Stored.Item = op.Item{}
		for _, name := range write.CountAttributes(p) {
			if av := row.Attribute(name); av != nil {
				c.Stored.Item[name] = av
			}
		}
	}
	if len(p.Counted) > 0 {
		if !s.only {
			s.task.counts(p.Name)
		}
		s.count(p, row)
	}
}

// count adds an item to the numbers of those that count it.
func (s *countSink) count(p *core.Plan, row core.Row) {
	keys, err := write.StoredCounting(p, row.Item())
	if err != nil {
		s.task.addUndecodable(p, row, err)
	}
	for i, key := range keys {
		if key == nil {
			continue
		}
		if c := s.check(p.Counted[i].Parent, key); c != nil {
			c.Items[p.Counted[i].Field]++
		}
	}
}

// check returns the check of a counting item, or nil if it is not collected.
func (s *countSink) check(p *core.Plan, key op.Item) *write.CountCheck {
	id := s.id(key)
	c := s.checks[id]
	if c == nil && !s.only {
		c = &write.CountCheck{Plan: p, Stored: write.Stored{Key: key}, Items: map[*codec.Field]int64{}}
		s.checks[id] = c
	}
	return c
}

func (s *countSink) id(key op.Item) string { return s.task.Schema.Identity(core.NewRow(key)) }
