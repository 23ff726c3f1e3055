package document_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
)

// many returns a profile with n notes and no logins.
func many(id, text string, n int) profile {
	p := profile{Info: info{ID: id, Name: text}}
	for i := range n {
		p.Notes = append(p.Notes, note{N: i, Text: text})
	}
	return p
}

// A save of more than 100 items, and one of more than 4 MB, are applied by a log.
func TestSaveBeyondATransaction(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := many("a", "one", 250)
		require.NoError(t, u.profiles.Save(ctx, &p))
		require.Nil(t, p.Info.Log)
		require.Empty(t, u.own(t))
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, contentOf(&p), contentOf(&got))

		for i := range got.Notes {
			got.Notes[i].Text = fmt.Sprint("two ", i)
		}
		got.Notes = got.Notes[100:]
		got.Addresses = []address{{Label: "Home", Street: "1"}}
		got.Bio = &bio{Text: document.Large[string]{Value: text(5000)}}
		require.NoError(t, u.profiles.Save(ctx, &got))
		again, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, contentOf(&got), contentOf(&again))
		require.Equal(t, map[string]int{"chunk": 1}, u.own(t))

		for i := range 12 {
			again.Notes[i].Text = text(390_000)
		}
		require.NoError(t, u.profiles.Save(ctx, &again))
		last, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, contentOf(&again), contentOf(&last))
		require.NoError(t, u.profiles.Delete(ctx, key("a")))
		require.Empty(t, u.keys(t))
	})
}

// Parts with unique values need a transaction.
func TestSaveBeyondATransactionRefusesUniqueValues(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		p := many("a", "one", 120)
		p.Logins = []login{{Name: "x"}}
		err := u.profiles.Save(t.Context(), &p)
		require.ErrorIs(t, err, trestle.ErrLimit)
		require.Empty(t, u.keys(t))
	})
}

// A log is not stored if one of its items could not be: the document could never be saved again.
func TestSaveBeyondATransactionRefusesLargeItems(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		p := many("a", "one", 120)
		p.Notes[3].Text = text(500_000)
		require.ErrorIs(t, u.profiles.Save(t.Context(), &p), trestle.ErrLimit)
		require.Empty(t, u.keys(t))
	})
}
