package entity_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
)

// If the service hangs, a call fails after its timeout. A write is unknown. A read is retried, with
// the same timeout for each attempt.
func TestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t, canned(hangs))
		quick := o.notes.With(entity.Timeout(2 * time.Second))
		for _, c := range []struct {
			name string
			call func() error
			kind error
			want time.Duration
		}{
			{"add", func() error { _, err := quick.Update(t.Context(), note{ID: "n"}, attr.Add(noteCount, 1)); return err }, trestle.ErrUnknown, 2 * time.Second},
			{"create", func() error { return quick.Create(t.Context(), &note{ID: "n"}) }, trestle.ErrUnknown, 6*time.Second + 2*time.Millisecond},
			{"put", func() error { return quick.Put(t.Context(), &note{ID: "n"}) }, trestle.ErrUnknown, 6*time.Second + 2*time.Millisecond},
			{"get", func() error { _, err := quick.Get(t.Context(), note{ID: "n"}); return err }, nil, 6*time.Second + 2*time.Millisecond},
			{"put by default", func() error { return o.notes.Put(t.Context(), &note{ID: "n"}, noteCount.Eq(1)) }, trestle.ErrUnknown, 10 * time.Second},
			{"put with none", func() error {
				return o.notes.With(entity.Timeout(-1)).Put(t.Context(), &note{ID: "n"}, noteCount.Eq(1))
			}, trestle.ErrUnknown, 10 * time.Second},
		} {
			start := time.Now()
			err := c.call()
			require.ErrorIs(t, err, context.DeadlineExceeded, c.name)
			require.Equal(t, c.want, time.Since(start), c.name)
			if c.kind != nil {
				requireOutcome(t, err, c.kind, trestle.Unknown)
			} else {
				requireNone(t, err, trestle.NoWrite)
			}
		}
	})
}

// Create and Check of a table return at once if the context is canceled. For the other calls see
// TestCanceledCalls.
func TestCanceledTableCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t, canned(hangs))
		for name, call := range map[string]func(context.Context) error{"create": o.table.Create, "check": func(ctx context.Context) error { return maintain.Check(ctx, o.table) }} {
			issue, _ := engines.CancelIssue(t.Context(), call)
			require.Empty(t, issue, name)
		}
	})
}
