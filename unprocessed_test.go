package trestle_test

import (
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/canaries"
)

// An UnprocessedError wraps its reason and the error of each failure, and prints no argument.
func TestUnprocessedError(t *testing.T) {
	t.Parallel()
	type secret struct{ Text string }
	first, second := &secret{canaries.Text + "1"}, secret{canaries.Text + "2"}
	e := &trestle.UnprocessedError{
		Items: func() []any { return []any{first, second} },
		Err:   &trestle.OpError{Op: "put many", Outcome: trestle.NotApplied, Err: io.EOF},
		Failures: []trestle.BatchFailure{
			{Index: 3, Argument: func() any { return first }, Err: &trestle.OpError{Op: "put", Outcome: trestle.NotApplied, Kind: trestle.ErrStale}},
			{Index: 7, Argument: func() any { return second }, Err: &trestle.OpError{Op: "put", Outcome: trestle.Unknown, Kind: trestle.ErrUnknown, Err: io.ErrUnexpectedEOF}},
			{Index: 8},
		},
		Consumed: 9,
	}
	err := errors.Join(e)
	for _, want := range []error{io.EOF, io.ErrUnexpectedEOF, trestle.ErrStale, trestle.ErrUnknown} {
		require.ErrorIs(t, err, want)
	}
	require.NotErrorIs(t, err, trestle.ErrExists)
	require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), "that of the reason")
	require.Equal(t, []*secret{first}, trestle.Unprocessed[*secret](err))
	require.Equal(t, []secret{second}, trestle.Unprocessed[secret](err))

	require.Empty(t, canaries.Failed(e))
	require.Empty(t, canaries.Printed(*e))
	require.Empty(t, canaries.Printed(e.Failures))
	require.Empty(t, canaries.Printed(struct{ e trestle.UnprocessedError }{*e}))
	require.NotEmpty(t, canaries.Printed(e.Failures[0].Argument()), "the negative control")

	text, bad := json.Marshal(e)
	require.NoError(t, bad)
	require.JSONEq(t, `{"error":{"op":"put many","reason":"the connection broke","outcome":"not applied"},"left":2,"consumed":9}`, string(text))
	text, bad = json.Marshal(e.Failures[0])
	require.NoError(t, bad)
	require.JSONEq(t, `{"index":3,"error":{"op":"put","reason":"the stored version is not the one that was read","outcome":"not applied"}}`, string(text))
}
