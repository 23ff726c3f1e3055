package fetch

import (
	"errors"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

var errNoKey = errors.New("an item lacks a key attribute")

// feed hands one item on: to the type that was asked for, or to its own.
func (r *Reader) feed(item op.Item) error {
	s := r.plan.Entity.Schema
	if own(s, item) {
		r.call.Skipped++
		return nil
	}
	plan := r.plan.Entity
	if r.plan.Mixed {
		plan = s.PlanOf(item)
	} else if !plan.Owns(item) {
		r.call.Unknown++
		return nil
	}
	taken, err := core.Feed(plan, item, r.sink)
	switch {
	case err != nil && refusal(err):
		return err
	case err != nil:
		return fail.Unreadable(err)
	case taken:
		r.call.Items++
		r.left--
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
