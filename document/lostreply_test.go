package document_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
)

// If the reply to the write that applies a save is lost, the root tells what happened.
func TestSaveAfterALostReply(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		other := func() {
			p, err := u.profiles.Read(ctx, key("a"), document.Strong())
			require.NoError(t, err)
			p.Info.Name = "other"
			require.NoError(t, u.profiles.Save(ctx, &p))
		}
		for _, c := range []struct {
			name    string
			commit  fate
			then    func()
			later   fate
			outcome trestle.Outcome
			is      error
			visible string
		}{
			{"lost", lose, nil, pass, trestle.Applied, nil, "new"},
			{"lost like all later replies", lose, nil, drop, trestle.Unknown, trestle.ErrUnknown, "new"},
			{"dropped", drop, nil, pass, trestle.Unknown, trestle.ErrUnknown, "old"},
			{"dropped before another save", drop, other, pass, trestle.NotApplied, trestle.ErrStale, "other"},
			{"lost before another save", lose, other, pass, trestle.Unknown, trestle.ErrUnknown, "other"},
		} {
			u.wipe(t)
			p := small("a")
			p.Info.Name = "old"
			require.NoError(t, u.profiles.Save(ctx, &p), c.name)
			done := false
			w := &wire{decide: func(_ int, operation string) fate {
				switch {
				case operation == "TransactWriteItems" && !done:
					done = true
					return c.commit
				case done:
					return c.later
				default:
					return pass
				}
			}}
			w.then = func() {
				if c.then != nil {
					c.then()
				}
				w.then = nil
			}
			p.Info.Name, p.Notes = "new", p.Notes[:1]
			err := u.process(t, w.on(u.client, 1)).profiles.Save(ctx, &p)
			require.ErrorIs(t, err, c.is, c.name)
			require.Equal(t, c.outcome, trestle.OutcomeOf(err), c.name)
			got, err := u.profiles.Read(ctx, key("a"), document.Strong())
			require.NoError(t, err, c.name)
			require.Equal(t, c.visible, got.Info.Name, c.name)
			if c.is == nil {
				require.Equal(t, got.Info.Version, p.Info.Version, c.name)
				p.Info.Name = "next"
				require.NoError(t, u.profiles.Save(ctx, &p), "it can be saved again")
			}
		}
	})
}

// The commit of a save that Clean has given up arrives late, and is not applied.
func TestALateCommitIsNotApplied(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := withText(small("a"), 1000)
		require.NoError(t, u.profiles.Save(ctx, p))
		old := contentOf(p)
		w := &wire{decide: func(_ int, operation string) fate {
			if operation == "TransactWriteItems" {
				return delay
			}
			return pass
		}}
		p.Bio.Text.Value = text(2000)
		err := u.process(t, w.on(u.client, 1)).profiles.Save(ctx, p)
		require.ErrorIs(t, err, trestle.ErrUnknown)
		require.Equal(t, 1, u.own(t)["intent"])
		require.NoError(t, u.profiles.Clean(ctx, key("a")))
		require.Equal(t, 1, u.own(t)["intent"], "it is too young")
		u.clock.advance(2 * writeTime)
		require.NoError(t, u.profiles.Clean(ctx, key("a")))
		require.NoError(t, w.deliver())
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, old, contentOf(&got))
		require.Equal(t, map[string]int{"chunk": 1, "unique": 1}, u.own(t))
	})
}
