package query

import (
	"context"
	"errors"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// errStopped ends a scan when the caller breaks its loop.
var errStopped = errors.New("query: broken off")

// each runs the scan from a cursor. If token is nil, the scan starts at the beginning and returns
// no cursor. It reads each page into the slice that page points to, and calls f for each page that
// is not empty.
func (s *scan) each(ctx context.Context, token *string, page any, f func() error) (*fetch.Scanner, error) {
	p, from, err := s.plan(token)
	if err != nil {
		return nil, err
	}
	l := newList(page)
	run := fetch.NewScanner(s.env, p, s.sink(l), s.bounds, s.segments, from)
	var own error
	var passed func()
	if s.progress != nil {
		passed = func() { s.progress(s.standing(run)) }
	}
	err = run.Each(ctx, func() error {
		if l.trim(); l.filled > 0 {
			own = f()
		}
		l.clear()
		return own
	}, passed)
	if own != nil {
		return run, own
	}
	return run, door.Fail(err)
}

// sink returns a sink for items of the scan's type, or of all types.
func (s *scan) sink(l *list) sink {
	switch {
	case s.scan.Plan != nil:
		return entitySink{l}
	case s.kind == kindScanStored:
		return rawSink{l, s.scan.Schema}
	default:
		return &mixedSink{list: l, schema: s.scan.Schema}
	}
}

// errNoScan is the error of a zero scan.
var errNoScan = errs.New("", "the scan reads from nowhere", "make it with query.Scan or query.ScanTable")

func (s *scan) plan(token *string) (*read.ScanPlan, []cursor.Position, error) {
	if s.err != nil {
		return nil, nil, s.failed(errs.KindOf(s.err), s.err)
	}
	if s.scan.Schema == nil {
		return nil, nil, s.failed(errs.Invalid, errNoScan)
	}
	if s.scan.Plan == nil && s.scan.Access != "" {
		s.fault("an access pattern is a type's, and the scan is of all types", "scan the type, or the table")
	}
	p, err := s.scan.Compile()
	if len(s.faults) > 0 {
		problems := append(errs.Problems(nil), s.faults...)
		problems.AddErr("", err)
		err = problems.Err()
	}
	if err != nil {
		return nil, nil, s.failed(errs.KindOf(err), err)
	}
	if token == nil || *token == "" {
		return p, nil, nil
	}
	from, err := s.cursors.Wide(s.segments).Open(s.binding(p), p.Position, *token, s.env.Now())
	if err != nil || !s.stands(p, from) {
		return nil, nil, s.failed(errs.Cursor, nil)
	}
	return p, from, nil
}

// stands reports whether the positions are valid for the scan, with at most one per segment.
// Callers can forge positions in plain cursors.
func (s *scan) stands(p *read.ScanPlan, at []cursor.Position) bool {
	seen := map[int]bool{}
	for _, place := range at {
		if seen[place.Part] || place.Part >= s.segments || place.After != nil && !p.Allows(place.After) {
			return false
		}
		seen[place.Part] = true
	}
	return len(at) > 0
}

// cursor returns the cursor for the positions of a run.
func (s *scan) cursor(p *read.ScanPlan, at []cursor.Position) (string, error) {
	if len(at) == 0 {
		return "", nil
	}
	if s.cursors == nil {
		return "", s.failed(errs.Invalid, errNoCursors)
	}
	token, err := s.cursors.Wide(s.segments).Seal(s.binding(p), p.Position, at, s.env.Now())
	if err != nil {
		return "", s.failed(errs.KindOf(err), err)
	}
	return token, nil
}

// standing returns the progress of a run.
func (s *scan) standing(run *fetch.Scanner) Progress {
	c, at := run.Call(), run.Positions()
	return Progress{
		Items: c.Items, Scanned: c.Scanned, Requests: c.Requests, Capacity: entity.Capacity(c.Capacity), Segments: len(at),
		cursor: func() (string, error) { return s.cursor(run.Plan(), at) },
	}
}

func (s *scan) fault(reason, hint string) {
	s.faults = append(s.faults[:len(s.faults):len(s.faults)], errs.Problem{Reason: reason, Hint: hint})
}

func (s *scan) positive(what string, n int) int {
	if n <= 0 {
		s.fault(what+" is not above 0", "leave it out for no bound")
	}
	return n
}

// failed returns the error of a failed scan.
func (s *scan) failed(kind, err error) error {
	f := &exec.Failure{Operation: "scan", Plan: s.scan.Plan, Kind: kind, Outcome: op.NoWrite, Err: err}
	if s.env != nil {
		f.Table = s.env.Table
	}
	if s.scan.Plan != nil {
		f.Entity = s.scan.Plan.Name
	}
	return door.Fail(f)
}
