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
	after op.Item // where the next request starts; nil: at the beginning
	// position is after the last item that was taken. It is never after a key outside the range.
	position op.Item
	resumed  bool // after is from a cursor, and nothing has been read yet
	ended    bool // no items follow

	running context.CancelFunc // of a request beside the caller; nil: none is running
	page    exec.Response      // the last response
	next    int                // index of the next row of the page
}

// at returns the position in the form of a cursor.
func (s *stream) at() cursor.Position { return cursor.Position{Stream: s.index, After: s.position} }

// inputs returns the input of the request for the next page: of a query, or else of a scan.
func (s *stream) inputs(table string, p *read.Plan, limit int) (*dynamodb.QueryInput, *dynamodb.ScanInput) {
	if p.Scans() {
		return nil, p.ScanInput(table, s.index, s.after, limit)
	}
	return p.QueryInput(table, s.index, s.after, limit), nil
}

// row returns the next row of the page, or false at the end of the page.
func (s *stream) row() (core.Row, bool) {
	if s.next == s.page.Rows.Len() {
		return core.Row{}, false
	}
	return s.page.Rows.At(s.next), true
}

// endPage moves the position to the end of the page. A page that read no items and ends at a key
// outside of the read's range does not change it.
func (s *stream) endPage(p *read.Plan) {
	s.after = s.page.Last
	if s.page.Scanned > 0 || p.Allows(s.index, s.page.Last) {
		s.position = s.after
	}
	// Only an absent key marks the end. A page may be empty and still have one.
	s.ended = len(s.page.Last) == 0
}

// stopAt moves the position after the last row that was passed.
func (s *stream) stopAt(p *read.Plan) error {
	if s.next == 0 {
		return nil
	}
	after, ok := s.page.Rows.At(s.next - 1).Attributes(p.Position)
	if !ok {
		return errs.Undecodable(errNoKey)
	}
	s.after, s.position = after, after
	return nil
}
