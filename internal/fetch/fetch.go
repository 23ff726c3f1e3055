// Package fetch reads the pages of a planned read and feeds their items to a sink, in order, as long as somebody wants them.
package fetch

import (
	"context"
	"errors"

	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

// Reader is one run of a plan.
type Reader struct {
	plan *read.Plan
	sink core.Sink
	call call.Read
}

// New makes a run of the plan into the sink.
func New(e *call.Env, p *read.Plan, s core.Sink) *Reader {
	r := &Reader{plan: p, sink: s, call: call.Read{Env: e, Name: p.Name, Plan: p.Entity, Access: p.Access}}
	if p.Index != nil {
		r.call.Index = p.Index.Name
	}
	return r
}

// Each reads page after page, partition after partition. After each page it asks more whether to go on. The error is a *call.Failure.
func (r *Reader) Each(ctx context.Context, more func() bool) (err error) {
	r.call.Begin()
	defer func() { r.call.End(ctx, err) }()
	for i := range r.plan.Partitions {
		if r.plan.Partitions[i].Empty {
			continue
		}
		goOn, err := r.partition(ctx, i, more)
		if err != nil || !goOn {
			return err
		}
	}
	return nil
}

func (r *Reader) partition(ctx context.Context, i int, more func() bool) (goOn bool, err error) {
	var after op.Item
	for {
		out, err := r.call.Page(ctx, r.plan.QueryInput(r.call.Env.Table, i, after))
		if err != nil {
			return false, err
		}
		bad := r.page(out.Items)
		if !more() {
			return false, nil
		}
		if bad != nil {
			return false, r.call.Fail(bad)
		}
		// Only an absent key means the end; a page may be empty and yet have one.
		if after = out.LastEvaluatedKey; len(after) == 0 {
			return true, nil
		}
	}
}

// page feeds items up to the first that cannot be: those before it have been read, and are handed on.
func (r *Reader) page(items []op.Item) error {
	for _, item := range items {
		if err := r.feed(item); err != nil {
			return err
		}
	}
	return nil
}

// feed hands one item on: to the type that was asked for, or to its own.
func (r *Reader) feed(item op.Item) error {
	s := r.plan.Entity.Schema
	if own(s, item) {
		r.call.Skipped++
		return nil
	}
	plan := s.PlanOf(item)
	if !r.plan.Mixed {
		if !r.plan.Entity.Owns(item) {
			r.call.Unknown++
			return nil
		}
		plan = r.plan.Entity
	}
	taken, err := core.Feed(plan, item, r.sink)
	switch {
	case err != nil && refusal(err):
		return err
	case err != nil:
		return fail.Unreadable(err)
	case taken:
		r.call.Items++
	default:
		r.call.Unknown++
	}
	return nil
}

func refusal(err error) bool {
	var r *fail.Refusal
	return errors.As(err, &r)
}

// own reports whether an item is one of the library's own.
func own(s *core.Schema, item op.Item) bool {
	if s.Partition.Type != keys.S {
		return false
	}
	text, ok := core.KeyText(keys.S, item[s.Partition.Name])
	return ok && reserved.Is(text, "")
}
