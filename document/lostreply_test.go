package document_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/testfaults"
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
			commit  testfaults.Fate
			then    func()
			later   testfaults.Fate
			outcome trestle.Outcome
			is      error
			visible string
		}{
			{"lost", testfaults.Lose, nil, testfaults.Pass, trestle.Applied, nil, "new"},
			{"lost like all later replies", testfaults.Lose, nil, testfaults.Drop, trestle.Unknown, trestle.ErrUnknown, "new"},
			{"dropped", testfaults.Drop, nil, testfaults.Pass, trestle.Unknown, trestle.ErrUnknown, "old"},
			{"dropped before another save", testfaults.Drop, other, testfaults.Pass, trestle.NotApplied, trestle.ErrStale, "other"},
			{"lost before another save", testfaults.Lose, other, testfaults.Pass, trestle.Unknown, trestle.ErrUnknown, "other"},
		} {
			u.wipe(t)
			p := small("a")
			p.Info.Name = "old"
			require.NoError(t, u.profiles.Save(ctx, &p), c.name)
			done := false
			w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
				switch {
				case operation == "TransactWriteItems" && !done:
					done = true
					return c.commit
				case done:
					return c.later
				default:
					return testfaults.Pass
				}
			}}
			w.Then = func() {
				if c.then != nil {
					c.then()
				}
				w.Then = nil
			}
			p.Info.Name, p.Notes = "new", p.Notes[:1]
			err := u.process(t, w.Client(u.client, 1)).profiles.Save(ctx, &p)
			require.ErrorIs(t, err, c.is, c.name)
			require.Equal(t, c.outcome, trestle.OutcomeOf(err), c.name)
			got, err := u.profiles.Read(ctx, key("a"), document.Strong())
			require.NoError(t, err, c.name)
			require.Equal(t, c.visible, got.Info.Name, c.name)
			if c.outcome == trestle.Unknown {
				again := map[string]error{"new": trestle.ErrStale, "other": trestle.ErrStale}[c.visible]
				require.ErrorIs(t, u.profiles.Save(ctx, &p), again, "%s, saved again", c.name)
			}
			if c.is == nil {
				require.Equal(t, got.Info.Version, p.Info.Version, c.name)
				p.Info.Name = "next"
				require.NoError(t, u.profiles.Save(ctx, &p), "it can be saved again")
			}
		}
	})
}

// Another program finishes the log of a save, and saves its own. The first program learns it from
// its next request, also if the reply to that is lost.
func TestALogThatAnotherProgramFinishes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		for name, fate := range map[string]testfaults.Fate{"no fault": testfaults.Pass, "lost": testfaults.Lose, "dropped": testfaults.Drop} {
			for _, attempts := range []int{1, 3} {
				u.wipe(t)
				p := many("a", "old", 120)
				require.NoError(t, u.profiles.Save(ctx, &p), name)
				sent := 0
				w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
					if operation != "TransactWriteItems" {
						return testfaults.Pass
					}
					if sent++; sent != 2 { // the first one applies the save
						return testfaults.Pass
					}
					other, err := u.profiles.Read(ctx, key("a"), document.Strong())
					require.NoError(t, err)
					other.Info.Name = "other"
					require.NoError(t, u.profiles.Save(ctx, &other))
					return fate
				}}
				for i := range p.Notes {
					p.Notes[i].Text = "new"
				}
				require.NoError(t, u.process(t, w.Client(u.client, attempts)).profiles.Save(ctx, &p), "%s, %d attempts", name, attempts)
				got, err := u.profiles.Read(ctx, key("a"), document.Strong())
				require.NoError(t, err)
				require.Equal(t, "other", got.Info.Name)
				require.Equal(t, "new", got.Notes[119].Text)
				require.Empty(t, u.own(t), "%s, %d attempts", name, attempts)
			}
		}
	})
}

// A save whose log cannot be applied any more is applied. The error says what to do, and Clean
// applies the log.
func TestALogThatIsNotApplied(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		sent := 0
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "TransactWriteItems" {
				sent++
			}
			if sent > 1 { // the first one applies the save
				return testfaults.Drop
			}
			return testfaults.Pass
		}}
		p := many("a", "new", 120)
		err := u.process(t, w.Client(u.client, 1)).profiles.Save(ctx, &p)
		var e *trestle.OpError
		require.ErrorAs(t, err, &e)
		require.Equal(t, trestle.Applied, e.Outcome)
		require.NotEmpty(t, e.Hint)
		require.NoError(t, u.profiles.Clean(ctx, key("a")))
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, contentOf(&p), contentOf(&got))
		require.Empty(t, u.own(t))
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
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "TransactWriteItems" {
				return testfaults.Delay
			}
			return testfaults.Pass
		}}
		p.Bio.Text.Value = text(2000)
		err := u.process(t, w.Client(u.client, 1)).profiles.Save(ctx, p)
		require.ErrorIs(t, err, trestle.ErrUnknown)
		require.Equal(t, 1, u.own(t)["intent"])
		require.NoError(t, u.profiles.Clean(ctx, key("a")))
		require.Equal(t, 1, u.own(t)["intent"], "it is too young")
		u.clock.advance(2 * writeTime)
		require.NoError(t, u.profiles.Clean(ctx, key("a")))
		require.NoError(t, w.Deliver())
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, old, contentOf(&got))
		require.Equal(t, map[string]int{"chunk": 1, "unique": 1}, u.own(t))
	})
}

// After a lost reply, the version of the document is the one that it stored, so that a later update
// of the root is not overwritten.
func TestALostReplyKeepsLaterUpdates(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		require.NoError(t, u.profiles.Save(ctx, &p))
		w := &testfaults.Wire{}
		w.Decide = func(_ int, operation string) testfaults.Fate {
			if operation == "TransactWriteItems" {
				return testfaults.Lose
			}
			return testfaults.Pass
		}
		w.Then = func() {
			root, err := u.infos.Strong().Get(ctx, p.Info)
			require.NoError(t, err)
			root.Name = "updated"
			require.NoError(t, u.infos.Put(ctx, &root))
		}
		p.Notes = p.Notes[:1]
		require.NoError(t, u.process(t, w.Client(u.client, 1)).profiles.Save(ctx, &p))
		require.Equal(t, int64(2), p.Info.Version)
		p.Info.Name = "overwritten"
		require.ErrorIs(t, u.profiles.Save(ctx, &p), trestle.ErrStale)
	})
}

// A save that Clean gives up while it runs is not applied.
func TestASaveThatIsGivenUpFails(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := withText(small("a"), 1000)
		require.NoError(t, u.profiles.Save(ctx, p))
		old := contentOf(p)
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "TransactWriteItems" {
				u.clock.advance(2 * writeTime)
				require.NoError(t, u.profiles.Clean(ctx, key("a")))
			}
			return testfaults.Pass
		}}
		p.Bio.Text.Value = text(2000)
		err := u.process(t, w.Client(u.client, 1)).profiles.Save(ctx, p)
		require.ErrorIs(t, err, trestle.ErrCondition)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, old, contentOf(&got))
		require.Equal(t, map[string]int{"chunk": 1, "unique": 1}, u.own(t))
		require.NoError(t, u.profiles.Save(ctx, p), "it can be saved again")
	})
}
