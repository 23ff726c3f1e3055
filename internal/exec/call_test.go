package exec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// ends is an observer of the ends of operations.
type ends func(context.Context, trestle.Event)

func (ends) Start(ctx context.Context, _ trestle.OperationInfo) context.Context { return ctx }

func (f ends) End(ctx context.Context, e trestle.Event) { f(ctx, e) }

// An operation without an observer uses the caller's context and allocates nothing.
func TestNoAllocationWithoutObserver(t *testing.T) {
	e, ctx := &Config{Table: "app"}, t.Context()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		o := NewCall(e, trestle.OperationInfo{Operation: "get", Table: e.Table}, nil, trestle.NoWrite)
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
