package entity_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
)

// printedOutcome returns the outcome of an error, and requires that all ways to read and print it
// agree. It returns "" if there is none.
func printedOutcome(t *testing.T, err error) string {
	t.Helper()
	var e *trestle.OpError
	require.ErrorAs(t, err, &e)
	require.Equal(t, e.Outcome, trestle.OutcomeOf(err))
	text, jsonErr := json.Marshal(e)
	require.NoError(t, jsonErr)
	var inJSON, inLog map[string]any
	require.NoError(t, json.Unmarshal(text, &inJSON))
	var line bytes.Buffer
	slog.New(slog.NewJSONHandler(&line, nil)).Info("", "error", e)
	require.NoError(t, json.Unmarshal(line.Bytes(), &inLog))
	require.Equal(t, inJSON["outcome"], inLog["error"].(map[string]any)["outcome"])
	outcome, _ := inJSON["outcome"].(string)
	return outcome
}

// A read, and every other call that writes nothing, has no outcome, whether it is rejected or fails
// at the service. A write always has one.
func TestOnlyWritesHaveAnOutcome(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o := newOffice(t, e.Client(t))
		notes := o.notes
		bad, ctx := note{}, t.Context()
		calls := map[string]struct {
			reads bool
			call  func(note) error
		}{
			"get":       {true, func(n note) error { _, err := notes.Get(ctx, n); return err }},
			"get many":  {true, func(n note) error { _, err := notes.GetMany(ctx, []note{n}); return err }},
			"check":     {true, func(note) error { return maintain.Check(ctx, o.table) }},
			"create":    {false, func(n note) error { return notes.Create(ctx, &n) }},
			"put":       {false, func(n note) error { return notes.Put(ctx, &n) }},
			"overwrite": {false, func(n note) error { return notes.Overwrite(ctx, &n) }},
			"update":    {false, func(n note) error { _, err := notes.Update(ctx, n, noteCount.Set(1)); return err }},
			"upsert":    {false, func(n note) error { _, err := notes.Upsert(ctx, n, noteCount.Set(1)); return err }},
			"delete":    {false, func(n note) error { return notes.Delete(ctx, n) }},
		}
		for name, c := range calls {
			for how, err := range map[string]error{"refused": c.call(bad), "without a table": c.call(note{ID: "n"})} {
				require.Error(t, err, "%s, %s", name, how)
				if c.reads {
					require.Equal(t, trestle.NoWrite, trestle.OutcomeOf(err), "%s, %s", name, how)
					require.Empty(t, printedOutcome(t, err), "%s, %s", name, how)
				} else {
					require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), "%s, %s", name, how)
					require.Equal(t, trestle.NotApplied.String(), printedOutcome(t, err), "%s, %s", name, how)
				}
			}
		}
		require.NoError(t, o.table.Create(ctx))
		_, err := notes.Get(ctx, note{ID: "n"})
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)
		require.Equal(t, trestle.NotApplied.String(), printedOutcome(t, o.table.Create(ctx)))
		for _, pure := range []func() error{
			func() error { _, err := o.Notes.Encode(nil); return err },
			func() error { _, err := o.Notes.Decode(nil); return err },
			func() error { _, err := o.Notes.KeyOf(bad); return err },
			func() error { _, err := entity.NewSchema(entity.Config{}).Open(nil, ""); return err },
			func() error { _, err := entity.ParseCursorKey(""); return err },
		} {
			require.Empty(t, printedOutcome(t, pure()))
		}
	})
}

// The read before a write is a part of the write: if it fails, the write was not applied.
func TestOutcomeOfAFailedReadBeforeAWrite(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o := newOffice(t, e.Client(t))
		_, err := o.accounts.With(entity.ReadFirst()).Update(t.Context(), annKey(), accStatus.Set("x"))
		require.ErrorAs(t, err, new(*types.ResourceNotFoundException))
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = o.accounts.With(entity.ReadFirst()).Update(ctx, annKey(), accStatus.Set("x"))
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	})
	require.Equal(t, trestle.Unknown, trestle.OutcomeOf(errors.New("somebody else's")))
	require.Equal(t, trestle.Applied, trestle.OutcomeOf(nil))
}
