package fetch

import (
	"reflect"
	"slices"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/read"
)

// A run that merges streams has one position for its group, the base: after the last row that was
// passed. It follows where the other streams of the group continue: at the same sort key, because
// rows with equal sort keys are passed in the order of the streams. If a budget ends the run, some
// streams may have read on without a row; they have positions of their own.

// beginMerged makes the streams. from is empty, or a base and the positions that differ from it.
func beginMerged(r *Run, from []cursor.Position) *merged {
	m := &merged{Run: r, limited: -1}
	if len(from) > 0 {
		m.from = from[0]
		m.from.Merged = true // a run in turn writes the same position
	}
	first := m.from.Stream / r.plan.Shards * r.plan.Shards
	for i := first; i < r.plan.Streams(); i++ {
		s := &stream{index: i, part: r.plan.Partition(i)}
		if i < first+r.plan.Shards && len(m.from.After) > 0 {
			m.beginAt(s)
		}
		if at := slices.IndexFunc(from, func(p cursor.Position) bool { return !p.Merged && p.Stream == i }); at >= 0 {
			s.after, s.position, s.ahead = from[at].After, from[at].After, true
		}
		if !slices.Contains(m.from.Ended, i-first) && !s.part.Empty {
			r.streams = append(r.streams, s)
		}
	}
	return m
}

// beginAt moves a stream to the base: after its item, or to its sort key. Streams before that of
// the base have passed their rows with this sort key.
func (m *merged) beginAt(s *stream) {
	if s.index == m.from.Stream {
		s.after, s.position = m.from.After, m.from.After
		return
	}
	s.part = m.plan.Narrowed(s.part, m.from.After, s.index > m.from.Stream)
}

func (m *merged) positions() []cursor.Position {
	group := m.group()
	if len(group) == 0 {
		return nil
	}
	number := m.groupOf(group[0])
	first := number * m.plan.Shards
	base := cursor.Position{Stream: first, Merged: true}
	if m.from.Merged && m.from.Stream/m.plan.Shards == number {
		base = m.from
	}
	passed := !m.baseRow.Empty() && m.base/m.plan.Shards == number
	if passed {
		base.Stream = m.base
		base.After, _ = m.baseRow.Attributes(m.plan.Position)
	}
	base.Ended = nil
	for i := range m.plan.Shards {
		if !slices.ContainsFunc(group, func(s *stream) bool { return s.index == first+i }) {
			base.Ended = append(base.Ended, i)
		}
	}
	list := []cursor.Position{base}
	for _, s := range group {
		if s.ahead && (!passed || m.Short()) && beyond(m.plan, s.at(), base) {
			list = append(list, s.at())
		}
	}
	return list
}

// beyond reports whether the position of a stream comes after a base, in the order of a run. Only
// such a stream needs its own position. A stream that continued before the base could return a new
// item there, and the base would move back.
func beyond(p *read.Plan, own, base cursor.Position) bool {
	if len(base.After) == 0 {
		return true
	}
	sort, _ := p.SortAttribute()
	text, _ := core.KeyText(sort.Type, own.After[sort.Name])
	after, _ := core.KeyText(sort.Type, base.After[sort.Name])
	order := compareKeys(sort, text, after)
	if p.Desc {
		order = -order
	}
	switch {
	case order != 0 || own.Stream > base.Stream:
		return order >= 0
	case own.Stream == base.Stream:
		return !reflect.DeepEqual(own.After, base.After)
	default: // the narrowed condition on a number may include the sort key of the base
		return p.Allows(p.Narrowed(p.Partition(own.Stream), base.After, false), own.After)
	}
}

// validMerged reports whether a run that merges can begin at the positions of a cursor.
func validMerged(p *read.Plan, from []cursor.Position) bool {
	base := from[0]
	group := base.Stream / p.Shards
	switch {
	case !base.Merged || base.Stream >= p.Streams():
		return false
	case len(base.After) == 0 && base.Stream%p.Shards != 0, len(base.After) > 0 && !p.Allows(p.Partition(base.Stream), base.After):
		return false
	case len(base.Ended) >= p.Shards || len(base.Ended) > 0 && base.Ended[len(base.Ended)-1] >= p.Shards:
		return false
	}
	last := -1
	for _, at := range from[1:] {
		if at.Merged || at.Stream <= last || at.Stream/p.Shards != group || slices.Contains(base.Ended, at.Stream%p.Shards) {
			return false
		}
		if !p.Allows(p.Partition(at.Stream), at.After) || !beyond(p, at, base) {
			return false
		}
		last = at.Stream
	}
	return true
}
