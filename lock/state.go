package lock

import (
	"context"
	"time"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// State is what a lock looked like when it was read.
type State struct {
	Fence int64     // of the last lease; 0: there was none, or its item was deleted
	Until time.Time // when the last lease ends, by the clock of its holder; zero if it was released
}

// Read returns the state of a lock, for a person who looks for the cause of a delay. It is strongly
// consistent, and costs one read unit. The lock may change at any time after that.
func (l *Locks) Read(ctx context.Context, name string) (State, error) {
	if err := l.ready(opRead, name); err != nil {
		return State{}, err
	}
	key, _ := l.key(name) // ready has checked it
	item, err := l.do(ctx, opRead, op.Action{Verb: op.Get, Key: key, Strong: true, Idempotent: true})
	if err != nil || item == nil {
		return State{}, err
	}
	var wrong errs.Problems
	fence, err := libitem.Required(item, attrFence)
	wrong.AddErr("", err)
	s := State{Fence: fence}
	if item[attrOwner] != nil {
		until, err := libitem.Required(item, attrUntil)
		wrong.AddErr("", err)
		s.Until = time.Unix(0, until).UTC()
	}
	return s, l.failed(opRead, wrong.Err())
}
