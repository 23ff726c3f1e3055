package document_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/testfaults"
)

// A save of a new document with a large value that ended with ErrUnknown can be sent again: it is
// applied once, and the error tells whether the first attempt was applied.
func TestANewDocumentIsSavedAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		for id, c := range map[string]struct {
			commit testfaults.Fate
			again  error
		}{"applied": {testfaults.Lose, trestle.ErrExists}, "dropped": {testfaults.Drop, nil}} {
			done := false
			w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
				switch {
				case done:
					return testfaults.Drop
				case operation == "TransactWriteItems":
					done = true
					return c.commit
				default:
					return testfaults.Pass
				}
			}}
			p := withText(small(id), 1000)
			p.Logins = nil // their values are unique
			require.ErrorIs(t, u.process(t, w.Client(u.client, 1)).profiles.Save(ctx, p), trestle.ErrUnknown)
			require.Zero(t, p.Info.Version, "it is as before")
			require.ErrorIs(t, u.profiles.Save(ctx, p), c.again, id)
			u.clock.advance(3 * writeTime)
			require.NoError(t, u.profiles.Clean(ctx, key(id)))
			got, err := u.profiles.Read(ctx, key(id), document.Strong())
			require.NoError(t, err)
			require.Equal(t, int64(1), got.Info.Version)
			require.Equal(t, contentOf(p), contentOf(&got))
		}
		require.Equal(t, 2, u.own(t)["chunk"], "no chunk is left of the attempt that was dropped")
	})
}

// Parts without names selects all parts, and the name of the root selects the root alone.
func TestPartsByName(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx, p := t.Context(), small("a")
		require.NoError(t, u.profiles.Save(ctx, &p))
		all, err := u.profiles.Read(ctx, key("a"), document.Parts())
		require.NoError(t, err)
		require.Equal(t, contentOf(&p), contentOf(&all))
		root, err := u.profiles.Read(ctx, key("a"), document.Parts("Info"))
		require.NoError(t, err)
		require.Equal(t, p.Info.Name, root.Info.Name)
		require.Empty(t, root.Notes)
		both, err := u.profiles.Read(ctx, key("a"), document.Parts("Info"), document.Parts("Notes"))
		require.NoError(t, err)
		require.Len(t, both.Notes, len(p.Notes))
		require.Empty(t, both.Addresses)
		_, err = u.profiles.Read(ctx, key("a"), document.Parts("Note"))
		require.ErrorIs(t, err, trestle.ErrInvalid)
	})
}
