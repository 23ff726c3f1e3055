package exec

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func seeded(n byte) *Random { return NewRandom(rand.NewChaCha8([32]byte{n})) }

// Random choices have the same form with every source. They are the same with the same seed.
func TestRandomChoices(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[A-Z2-7]{26}$`)
	choices := func(r *Random) (list []any) {
		seen := map[any]bool{}
		for range 100 {
			word, err := r.Text()
			require.NoError(t, err)
			require.Regexp(t, form, word)
			pause, err := r.backoff(4)
			require.NoError(t, err)
			require.GreaterOrEqual(t, pause, time.Duration(0))
			require.Less(t, pause, 160*time.Millisecond)
			b := make([]byte, 12)
			n, err := r.Read(b)
			require.NoError(t, err)
			require.Equal(t, len(b), n)
			seen[word], seen[pause], seen[string(b)] = true, true, true
			list = append(list, word, pause, string(b))
		}
		require.Len(t, seen, len(list), "no choice repeats")
		return list
	}
	first := choices(seeded(1))
	require.Equal(t, first, choices(seeded(1)))
	require.Equal(t, first, choices(NewRandom(iotest.OneByteReader(rand.NewChaCha8([32]byte{1})))))
	for i, other := range choices(seeded(2)) {
		require.NotEqual(t, first[i], other)
	}
	choices(nil)
}

// A source that failed is not read again.
func TestRandomFailsForGood(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	r := NewRandom(io.MultiReader(bytes.NewReader(make([]byte, 20)), iotest.ErrReader(broken), rand.NewChaCha8([32]byte{})))
	_, err := r.Text()
	require.NoError(t, err)
	for range 3 {
		b := make([]byte, 8)
		_, err = r.Read(b)
		require.ErrorIs(t, err, broken)
		_, err = r.Text()
		require.ErrorIs(t, err, broken)
		_, err = r.backoff(1)
		require.ErrorIs(t, err, broken)
		for _, kind := range errs.Kinds() {
			require.NotErrorIs(t, err, kind)
		}
	}
}

// The pauses after conflicts are the same with the same seed.
func TestPausesRepeatWithASeed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		always := canceled("TransactionConflict", "None")
		first := pausesOf(t, seeded(1), always)
		require.Len(t, first, maxConflicts)
		require.Equal(t, first, pausesOf(t, seeded(1), always))
		for i, other := range pausesOf(t, seeded(2), always) {
			require.NotEqual(t, first[i], other)
		}
	})
}

// If the source fails after a conflict, the request is not sent again. The outcome is that of its
// attempts, and the error wraps those of the source and of the last attempt.
func TestSourceFailsAfterAConflict(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		replies []reply
		outcome trestle.Outcome
		kind    error
	}{
		"conflict":                    {[]reply{canceled("TransactionConflict", "None"), fine}, trestle.NotApplied, nil},
		"conflict after a lost reply": {[]reply{reset, canceled("TransactionConflict", "None"), fine}, trestle.Unknown, errs.Unknown},
	} {
		s := &script{replies: c.replies}
		e := newEnv(s)
		e.Random = NewRandom(bytes.NewReader(make([]byte, textBytes))) // for the token
		f := failureOf(t, Do(t.Context(), e, addOf(2, ""), nothing))
		require.Equal(t, c.outcome, f.Outcome, name)
		require.Equal(t, c.kind, f.Kind, name)
		require.ErrorIs(t, f, io.EOF, name)
		require.ErrorAs(t, f, new(*types.TransactionCanceledException), name)
		require.Equal(t, len(c.replies)-1, s.sent, name)
	}
}

// If the source fails after the items have been read, or before a write is planned again, nothing
// more is sent, and the write was not applied.
func TestSourceFailsAfterReads(t *testing.T) {
	t.Parallel()
	changed := canceled("ConditionalCheckFailed", "None")
	for name, c := range map[string]struct {
		bytes, sent int
	}{"before the write": {0, 1}, "before the next write": {textBytes, 2}} {
		s := &script{replies: []reply{fine, changed, fine}}
		e := newEnv(s)
		e.Random = NewRandom(bytes.NewReader(make([]byte, c.bytes)))
		write := addOf(2, "")
		write.Actions[0].Clauses = planned("n", number(1), 0)
		write.PreRead = &op.PreRead{
			Reads: []op.Action{{Verb: op.Get, Key: write.Actions[0].Key, Idempotent: true}},
			Plan:  func([]op.Item) ([]op.Action, error) { return write.Actions, nil },
		}
		f := failureOf(t, Do(t.Context(), e, write, nothing))
		require.Equal(t, trestle.NotApplied, f.Outcome, name)
		require.ErrorIs(t, f, io.EOF, name)
		require.Equal(t, c.sent, s.sent, name)
	}
}
