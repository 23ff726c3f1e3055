package document_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
)

// A reader notices an item that other code deleted or added. Unverified reads it as it is, and a
// save repairs the checksums.
func TestIncompleteDocuments(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		require.NoError(t, u.profiles.Save(ctx, &p))
		for name, damage := range map[string]func() error{
			"deleted": func() error { return u.notes.Delete(ctx, note{User: "a", N: 1}) },
			"added":   func() error { return u.notes.Put(ctx, &note{User: "a", N: 1, Text: "new"}) },
		} {
			require.NoError(t, damage(), name)
			_, err := u.profiles.Read(ctx, key("a"))
			require.ErrorIs(t, err, document.ErrIncomplete, name)
			require.NotErrorIs(t, err, trestle.ErrStale, name)
			_, err = u.profiles.Read(ctx, key("a"), document.Parts("Addresses"))
			require.NoError(t, err, "other parts are complete")
			p, err = u.profiles.Read(ctx, key("a"), document.Unverified(), document.Strong())
			require.NoError(t, err, name)
			p.Info.Name += "x"
			require.NoError(t, u.profiles.Save(ctx, &p), name)
			got, err := u.profiles.Read(ctx, key("a"), document.Strong())
			require.NoError(t, err, name)
			require.Equal(t, contentOf(&p), contentOf(&got), name)
		}
	})
}

// An item of an earlier save, as an eventually consistent read can return it, is noticed.
func TestMixturesAreNoticed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		require.NoError(t, u.profiles.Save(ctx, &p))
		at, err := u.note.KeyOf(p.Notes[0])
		require.NoError(t, err)
		table := "users"
		old, err := u.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: at})
		require.NoError(t, err)
		p.Notes[0].Text = "new"
		require.NoError(t, u.profiles.Save(ctx, &p))
		_, err = u.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: old.Item})
		require.NoError(t, err)
		_, err = u.profiles.Read(ctx, key("a"))
		require.ErrorIs(t, err, document.ErrIncomplete)
	})
}
