package table

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// countSink counts the items of a read by the items that count them.
type countSink struct {
	noSink
	run    *countRun
	checks map[string]*write.CountCheck // by the identity of the counting item's key
	only   bool                         // other counting items are not collected

	items, counting int
}

// Unmatched counts an item.
func (s *countSink) Unmatched(p *core.Plan, row core.Row) (bool, error) {
	if p == nil {
		return false, nil
	}
	if len(p.Counters) > 0 && !s.only && !s.run.dead(p, row) {
		s.counting++
		c := s.check(p, s.run.Schema.KeyOf(row))
		c.Stored.Item = op.Item{}
		for _, name := range write.CountAttributes(p) {
			if av := row.Attribute(name); av != nil {
				c.Stored.Item[name] = av
			}
		}
	}
	if len(p.Counted) > 0 {
		s.items++
		s.count(p, row)
	}
	return true, nil
}

// count adds an item to the numbers of those that count it.
func (s *countSink) count(p *core.Plan, row core.Row) {
	keys, err := write.StoredCounting(p, row.Item())
	if err != nil {
		s.run.addUndecodable(p, row, err)
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

func (s *countSink) id(key op.Item) string { return s.run.Schema.Identity(core.NewRow(key)) }

// countProblems are the problems of counts.
type countProblems struct {
	problemList[trestle.CountProblem]
	schema      *core.Schema
	undecodable map[string]bool // by the identity of the item's key
}

// addUndecodable adds an item that cannot be decoded, once.
func (p *countProblems) addUndecodable(problem trestle.CountProblem) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id := p.id(problem.Item); !p.undecodable[id] {
		p.undecodable[id] = true
		p.append(problem)
	}
}

func (p *countProblems) id(key op.Item) string { return p.schema.Identity(core.NewRow(key)) }

// err returns a *trestle.CountError with the problems, sorted by type, count and kind, or nil if
// there are none.
func (p *countProblems) err(t Table) error {
	if p.count() == 0 {
		return nil
	}
	slices.SortFunc(p.list, func(a, b trestle.CountProblem) int {
		return cmp.Or(strings.Compare(a.Entity, b.Entity), strings.Compare(a.Count, b.Count), int(a.Kind)-int(b.Kind), strings.Compare(p.id(a.Item), p.id(b.Item)))
	})
	return &trestle.CountError{Table: t.Config.Table, Problems: p.list, More: p.unlisted > 0}
}
