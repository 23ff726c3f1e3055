package errs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/keys"
)

func limit(reason string) *ValidationError {
	return &ValidationError{Kind: Limit, Problems: []Problem{{Reason: reason}}}
}

// kinds returns the sentinel errors that err wraps.
func kinds(err error) (found []error) {
	for _, kind := range Kinds() {
		if errors.Is(err, kind) {
			found = append(found, kind)
		}
	}
	return found
}

func gathered(errs ...error) error {
	var p Problems
	for _, err := range errs {
		p.AddErr("field", err)
	}
	return p.Err()
}

func TestValidationErrorHasAtMostOneKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		err  error
		want []error
	}{
		{"invalid", New("f", "r", "h"), []error{Invalid}},
		{"because of something", Wrap("f", io.EOF), []error{Invalid}},
		{"because of a limit", Wrap("f", limit("a")), []error{Limit}},
		{"because of a number too large", Wrap("f", fmt.Errorf("x: %w", codec.ErrNumber)), []error{Limit}},
		{"because of no number", Wrap("f", fmt.Errorf("x: %w", codec.ErrNotNumber)), []error{Invalid}},
		{"because of a key too long", Wrap("f", fmt.Errorf("x: %w", keys.ErrTooLong)), []error{Limit}},
		{"because of something unreadable", Wrap("f", Undecodable(io.EOF)), nil},
		{"unreadable", Undecodable(io.EOF), nil},
		{"a gathered limit", gathered(limit("a")), []error{Limit}},
		{"limits only", gathered(limit("a"), limit("b")), []error{Limit}},
		{"a limit and more", gathered(limit("a"), io.EOF), []error{Invalid}},
		{"gathered twice", gathered(gathered(limit("a"), limit("b")), limit("c")), []error{Limit}},
		{"wrapped", fmt.Errorf("x: %w", gathered(io.EOF)), []error{Invalid}},
	} {
		require.Equal(t, c.want, kinds(c.err), c.name)
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for _, kind := range Kinds() {
		require.Equal(t, kind, KindOf(fmt.Errorf("x: %w", kind)))
	}
	require.Equal(t, Invalid, KindOf(io.EOF), "an error that says nothing of it")
	require.NoError(t, KindOf(Undecodable(io.EOF)))
	require.NoError(t, KindOf(context.Canceled))
	require.NoError(t, KindOf(fmt.Errorf("x: %w", context.DeadlineExceeded)))
}

func TestUnwrapReturnsCauses(t *testing.T) {
	t.Parallel()
	for _, err := range []error{Wrap("f", io.EOF), gathered(io.EOF), gathered(gathered(io.EOF)), Undecodable(io.EOF)} {
		require.ErrorIs(t, err, io.EOF)
	}
	require.NoError(t, Problems(nil).Err())
}

// The error text contains every problem with its field, reason and hint.
func TestErrorListsEveryProblem(t *testing.T) {
	t.Parallel()
	var p Problems
	p.Add("first", "reason one", "hint one")
	p.Add("", "reason two", "")
	p.AddErr("third", limit("reason three"))
	text := p.Err().Error()
	for _, part := range []string{"first", "reason one", "hint one", "reason two", "reason three"} {
		require.Contains(t, text, part)
	}
}
