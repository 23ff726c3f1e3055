package document_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/engines"
)

// each runs a test with an empty table on every engine.
func each(t *testing.T, f func(t *testing.T, u *users)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) { f(t, newUsers(t, e.Client(t))) })
}

func TestADocumentRoundTrips(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		_, err := u.profiles.Read(ctx, key("a"))
		require.ErrorIs(t, err, trestle.ErrNotFound)
		p := small("a")
		require.NoError(t, u.profiles.Save(ctx, &p))
		require.Equal(t, int64(1), p.Info.Version)
		require.Equal(t, start, p.Info.Updated)
		require.Equal(t, "a", p.Notes[0].User, "Save fills the fields of the partition key")
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, contentOf(&p), contentOf(&got))
		require.Equal(t, p.Info, got.Info)

		got.Info.Name = "Leto"
		got.Addresses = got.Addresses[1:]
		got.Notes[1].Text = "changed"
		got.Notes = append(got.Notes, note{N: 3, Text: "three"})
		got.Bio = &bio{Title: "duke"}
		got.Logins = nil
		require.NoError(t, u.profiles.Save(ctx, &got))
		again, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, contentOf(&got), contentOf(&again))
		require.Empty(t, u.own(t), "the guard of the removed login is gone")

		again.Info.Name = "Jessica"
		require.NoError(t, u.profiles.Save(ctx, &again))
		require.Equal(t, int64(3), again.Info.Version)
	})
}

func TestSaveOfAnOldStateFails(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		require.NoError(t, u.profiles.Save(ctx, &p))
		old := p
		p.Notes = []note{{N: 1, Text: "new"}}
		require.NoError(t, u.profiles.Save(ctx, &p))
		for name, change := range map[string]func(*profile){
			"the root":      func(p *profile) { p.Info.Name = "other" },
			"a part":        func(p *profile) { p.Addresses = nil },
			"a large value": func(p *profile) { p.Bio = &bio{Text: document.Large[string]{Value: "text"}} },
		} {
			stale := old
			change(&stale)
			before := stale
			err := u.profiles.Save(ctx, &stale)
			require.ErrorIs(t, err, trestle.ErrStale, name)
			require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), name)
			require.Equal(t, before, stale, name)
		}
		fresh := small("a")
		require.ErrorIs(t, u.profiles.Save(ctx, &fresh), trestle.ErrExists)
		require.Equal(t, map[string]int{"unique": 1}, u.own(t))
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, contentOf(&p), contentOf(&got))
	})
}

func TestPartsAreReadAndSavedAlone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		require.NoError(t, u.profiles.Save(ctx, &p))
		got, err := u.profiles.Read(ctx, key("a"), document.Parts("Notes"), document.Strong())
		require.NoError(t, err)
		require.Empty(t, got.Addresses)
		require.Len(t, got.Notes, 2)
		got.Notes = got.Notes[:1]
		require.NoError(t, u.profiles.Save(ctx, &got))
		whole, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Len(t, whole.Notes, 1)
		require.Len(t, whole.Addresses, 2)

		got.Addresses = []address{{Label: "x"}}
		require.ErrorIs(t, u.profiles.Save(ctx, &got), trestle.ErrInvalid)
		_, err = u.profiles.Read(ctx, key("a"), document.Parts("Note"))
		require.ErrorIs(t, err, trestle.ErrInvalid)
	})
}

func TestInvalidDocumentsAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		for name, change := range map[string]func(*profile){
			"two items with a key":        func(p *profile) { p.Notes = append(p.Notes, note{N: 1}) },
			"another partition":           func(p *profile) { p.Notes[0].User = "b" },
			"an absent key of the root":   func(p *profile) { p.Info.ID = "" },
			"an absent key of an address": func(p *profile) { p.Addresses[0].Label = "" },
		} {
			p := small("a")
			change(&p)
			err := u.profiles.Save(ctx, &p)
			require.ErrorIs(t, err, trestle.ErrInvalid, name)
		}
		require.ErrorIs(t, u.profiles.Save(ctx, nil), trestle.ErrInvalid)
		require.ErrorIs(t, (*document.Repo[profile])(nil).Save(ctx, &profile{}), trestle.ErrInvalid)
		require.ErrorIs(t, new(document.Repo[profile]).Delete(ctx, profile{}), trestle.ErrInvalid)
		_, err := u.profiles.Read(ctx, profile{})
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.Empty(t, u.keys(t))
	})
}

// A document that was deleted since it was read is not stored again.
func TestSaveOfADeletedDocumentFails(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		require.NoError(t, u.profiles.Save(ctx, &p))
		require.NoError(t, u.profiles.Delete(ctx, p))
		for name, change := range map[string]func(*profile){
			"the root": func(p *profile) { p.Info.Name = "other" },
			"a part":   func(p *profile) { p.Notes = nil },
		} {
			late := p
			change(&late)
			require.ErrorIs(t, u.profiles.Save(ctx, &late), trestle.ErrStale, name)
		}
		require.ErrorIs(t, u.profiles.Delete(ctx, p), trestle.ErrNotFound)
		require.Empty(t, u.keys(t))
	})
}
