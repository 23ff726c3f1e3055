package fetch

import (
	"context"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/keys"
)

// merged passes the rows of the streams of one group after the other, ordered by sort key. Rows
// with equal sort keys are ordered by stream. A page ends where one of the streams needs its next
// page.
type merged struct {
	*Run
	from    cursor.Position // where the run began
	base    int             // the stream of the last row that was passed
	baseRow core.Row        // that row

	limited int // the group that read and wanted are of
	read    int // the items that its requests have read, or may read
	wanted  int // the items that were wanted when its first page was requested
}

// next reads a page of each stream of the first group that has no rows left, and of the groups that
// are read at the same time.
func (m *merged) next(ctx context.Context) bool {
	for group := m.group(); ; {
		missing := slices.DeleteFunc(slices.Clone(group), func(s *stream) bool { return s.ended || s.hasRow() })
		if len(missing) == 0 {
			m.page = page{group: group}
			return !m.Ended()
		}
		complete := m.requestMissing(ctx, missing)
		if complete {
			m.requestBeside(ctx, m.groupOf(group[0]))
		}
		if !m.receiveAll(missing) || !complete {
			return false
		}
	}
}

// group returns the streams that are merged now: those of the first group that has not ended.
func (m *merged) group() []*stream {
	for i, s := range m.streams {
		if m.groupOf(s) != m.groupOf(m.streams[0]) {
			return m.streams[:i]
		}
	}
	return m.streams
}

// requestMissing requests the next page of streams, a limited number at the same time. It returns
// false if a budget is used up before all of them are requested.
func (m *merged) requestMissing(ctx context.Context, missing []*stream) bool {
	for _, s := range missing {
		switch {
		case s.running != nil:
			continue
		case !m.mayRequest(s):
			return false
		case m.running() >= maxRunning && !m.receiveOne():
			return false
		}
		m.request(ctx, s)
	}
	return true
}

// mayRequest reports whether no budget prevents the next request of a stream. The first request of
// each stream of the first group has no budget in units: otherwise a run with a small one would
// never return an item.
func (m *merged) mayRequest(s *stream) bool {
	if s.requested || m.groupOf(s) > m.from.Stream/m.plan.Shards {
		return !m.spent()
	}
	return m.allows(m.reserve, 0)
}

// requestBeside requests the first pages of the groups that are read at the same time as a group.
func (m *merged) requestBeside(ctx context.Context, group int) {
	for _, s := range m.streams {
		if g := m.groupOf(s); g > group && g < group+m.AtOnce && !s.requested && !m.spent() {
			m.request(ctx, s)
		}
	}
}

// receiveAll waits until no request of the streams is running. It returns false after an error.
func (m *merged) receiveAll(streams []*stream) bool {
	for slices.ContainsFunc(streams, func(s *stream) bool { return s.running != nil }) {
		if !m.receiveOne() {
			return false
		}
	}
	return true
}

// receiveOne waits for the next page of any stream. It returns false after an error.
func (m *merged) receiveOne() bool {
	s := m.arrival()
	m.read += s.page.Scanned - s.asked
	return m.receive(s)
}

// end moves the positions of the streams of the page, and requests the next page of the stream that
// needs it.
func (m *merged) end(ctx context.Context) {
	for _, s := range m.page.group {
		if m.settle(s); !s.ended && !s.hasRow() && m.Ahead && m.goesOn() && !m.spent() {
			m.request(ctx, s)
		}
	}
	if m.page.last == nil {
		return
	}
	m.base, m.baseRow = m.page.last.index, m.page.row
	if _, ok := m.baseRow.Attributes(m.plan.Position); !ok {
		m.halt(m.call.Fail(errs.Undecodable(errNoKey)))
	}
}

// limit: for W wanted items and S streams, all requests of the run together read at most 2W +
// S*SmallestPage items, unless items are dropped: by a filter, because they have expired, are of
// another type or the library's own, or because a row with the same sort key was returned before.
func (m *merged) limit(s *stream) int {
	if m.left <= 0 || m.plan.Filtered {
		return m.PageSize
	}
	if m.groupOf(s) != m.groupOf(m.streams[0]) { // the caller wants to read groups at the same time
		return m.Bounds.limit(m.plan, m.left, 0)
	}
	if m.groupOf(s) != m.limited {
		m.limited, m.read, m.wanted = m.groupOf(s), 0, m.left
	}
	streams := len(m.group())
	n := m.left/streams + read.SmallestPage
	if s.requested {
		n = max(read.SmallestPage, s.returned)
	}
	// Each further wanted item may need a request of its own for one item.
	allowed := 2*m.wanted + m.plan.Shards*read.SmallestPage - m.read - m.left
	n = max(1, min(n, m.left, allowed)) << m.doublings(m.call.Requests/streams)
	if size := m.PageSize; size > 0 {
		n = min(n, size)
	}
	m.read += n
	return n
}

// precedes reports whether the next row of a stream comes before that of another one with a lower
// number.
func (r *Run) precedes(s, other *stream) bool {
	sort, _ := r.plan.SortAttribute()
	order := compareKeys(sort, s.head(sort), other.head(sort))
	return order < 0 && !r.plan.Desc || order > 0 && r.plan.Desc
}

// head returns the text of the next row's sort key. It is empty if the row lacks the attribute.
func (s *stream) head(sort core.Attribute) string {
	if s.headOf != s.next+1 {
		row, _ := s.row()
		s.headText, _ = row.KeyText(sort)
		s.headOf = s.next + 1
	}
	return s.headText
}

// compareKeys compares two sort keys in DynamoDB's order. An absent one does not count.
func compareKeys(sort core.Attribute, a, b string) int {
	switch {
	case a == "" || b == "":
		return 0
	case sort.Type == keys.N:
		return keyspace.CompareNumbers(a, b)
	default:
		return strings.Compare(a, b)
	}
}
