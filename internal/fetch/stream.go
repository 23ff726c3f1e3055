package fetch

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// stream is one partition of a query or one segment of a scan.
type stream struct {
	index int
	part  *read.Partition
	after op.Item // where the next request starts; nil: at the beginning
	// position is after the last item that was taken. It is never a key outside of the range.
	position op.Item
	resumed  bool // after is from a cursor, and nothing has been read yet
	ended    bool // no items follow
	// Of a run that merges:
	requested bool   // a page was requested
	asked     int    // the maximum number of items of the last request
	ahead     bool   // position is not before any row that was passed, and no row of the stream was passed since
	returned  int    // number of rows that were passed
	headText  string // of the row at headOf-1
	headOf    int

	running context.CancelFunc // of a request beside the caller; nil: none is running
	page    exec.Response      // the last response
	next    int                // index of the next row of the page
	items   map[int]core.Row   // the fetched items of rows of the page; the zero Row is no item
}

// at returns the position in the form of a cursor.
func (s *stream) at() cursor.Position { return cursor.Position{Stream: s.index, After: s.position} }

// inputs returns the input of the request for the next page: of a query, or else of a scan.
func (s *stream) inputs(table string, p *read.Plan, limit int) (*dynamodb.QueryInput, *dynamodb.ScanInput) {
	if p.Scans() {
		return nil, p.ScanInput(table, s.index, s.after, limit)
	}
	return p.QueryInput(table, s.part, s.after, limit), nil
}

// row returns the next row of the page, or false at the end of the page and while the next page is
// requested.
func (s *stream) row() (core.Row, bool) {
	if s.running != nil || s.next == s.page.Rows.Len() {
		return core.Row{}, false
	}
	return s.page.Rows.At(s.next), true
}

// hasRow reports whether there is a next row.
func (s *stream) hasRow() bool {
	_, ok := s.row()
	return ok
}

// endPage moves the position to the end of the page, and notes whether the stream has ended.
func (s *stream) endPage(p *read.Plan) {
	s.after = s.page.Last
	// Only an absent key marks the end. A page may be empty and still have one.
	if s.ended = len(s.after) == 0; s.ended || s.moveTo(p, s.after) {
		return
	}
	// A key outside of the range is no position of a cursor. The next request starts there all the
	// same. Only the request of a narrowed partition may read the bound that the range excludes.
	// Nothing follows it, and a cursor before it would lead to the same page.
	s.ended = s.page.Scanned > 0 && s.part != p.Partition(s.index) && p.Passed(s.index, s.after)
	if n := s.page.Rows.Len(); n > 0 {
		if last, ok := s.page.Rows.At(n - 1).Attributes(p.Position); ok {
			s.moveTo(p, last)
		}
	}
}

// moveTo moves the position behind a key. It returns false for a key outside of the read's range.
func (s *stream) moveTo(p *read.Plan, key op.Item) bool {
	if !p.Allows(p.Partition(s.index), key) {
		return false
	}
	s.position, s.ahead = key, true
	return true
}

// release ends the use of the page's rows, which all have been passed.
func (s *stream) release() {
	s.page.Rows.Release()
	s.page.Rows, s.next, s.items = core.Rows{}, 0, nil
}

// stopAt moves the position after the last row that was passed.
func (s *stream) stopAt(p *read.Plan) error {
	if s.next == 0 || !s.hasRow() {
		return nil
	}
	after, ok := s.page.Rows.At(s.next - 1).Attributes(p.Position)
	if !ok {
		return errs.Undecodable(errNoKey)
	}
	s.after, s.position = after, after
	return nil
}

// skip skips the next rows that the run does not return, because they were returned before the
// stream was resumed, or because they are beyond the range of the read. It reports whether a row is
// left.
func (s *stream) skip() bool {
	row, ok := s.row()
	for ; ok && !s.part.Continues(row); row, ok = s.row() {
		s.next++
	}
	return ok
}
