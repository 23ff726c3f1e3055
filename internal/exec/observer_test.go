package exec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/op"
)

// ends is an observer of the ends of operations.
type ends func(context.Context, Event)

func (ends) Start(ctx context.Context, _ Info) context.Context { return ctx }

func (f ends) End(ctx context.Context, e Event) { f(ctx, e) }

// An operation without an observer uses the caller's context and allocates nothing.
func TestWithoutAnObserverNothingIsAllocated(t *testing.T) {
	e, ctx := &Config{Table: "app"}, t.Context()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		o := start(e, Info{Operation: "get", Table: e.Table}, nil, op.NoWrite)
		if err := o.Observe(ctx, func(c context.Context) error {
			if c != ctx {
				t.Error("another context")
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}))
}
