package document_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
)

func text(n int) string { return strings.Repeat("The spice must flow. ", n/21+1)[:n] }

func history(n int) (list []event) {
	for i := range n {
		list = append(list, event{At: start.Add(time.Duration(i) * time.Second), What: fmt.Sprint("event ", i), N: i})
	}
	return list
}

// A document of more than 3 MB has a text, a list and bytes. One changed part is sent alone.
func TestLargeValuesRoundTrip(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		p.Notes[0].Body.Value = noise(2_000_000, 1)
		p.Bio = &bio{Text: document.Large[string]{Value: text(1_000_000)}, Events: document.Large[[]event]{Value: history(10_000)}}
		require.NoError(t, u.profiles.Save(ctx, &p))
		own := u.own(t)
		require.Zero(t, own["intent"])
		require.Equal(t, 6+1+1, own["chunk"], "2 MB of noise, and compressed values")
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, contentOf(&p), contentOf(&got))
		require.Equal(t, p.Bio.Events.Value, got.Bio.Events.Value)

		same := got
		require.NoError(t, u.profiles.Save(ctx, &same))
		require.Equal(t, got.Info.Version, same.Info.Version, "nothing has changed")

		got.Bio.Events.Value[7].What = "changed in place"
		require.NoError(t, u.profiles.Save(ctx, &got))
		require.Equal(t, own, u.own(t))
		again, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, "changed in place", again.Bio.Events.Value[7].What)
		require.Equal(t, contentOf(&got), contentOf(&again))

		again.Bio.Events.Value, again.Notes = nil, again.Notes[1:]
		require.NoError(t, u.profiles.Save(ctx, &again))
		require.Equal(t, 1, u.own(t)["chunk"])
		last, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Empty(t, last.Bio.Events.Value)
		require.NoError(t, u.profiles.Delete(ctx, last))
		require.Empty(t, u.keys(t))
	})
}

// Other repositories keep the reference, and refuse another value.
func TestOtherRepositoriesDoNotStoreLargeValues(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		p.Bio = &bio{Title: "one", Text: document.Large[string]{Value: text(1000)}}
		require.NoError(t, u.profiles.Save(ctx, &p))
		b, err := u.bios.Strong().Get(ctx, bio{User: "a"})
		require.NoError(t, err)
		require.Empty(t, b.Text.Value)
		b.Title = "two"
		require.NoError(t, u.bios.Put(ctx, &b))
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, "two"+text(1000), contentOf(&got).Bio)
		require.NoError(t, u.bios.Put(ctx, got.Bio), "the value is the stored one")
		got.Bio.Text.Value = "other"
		require.ErrorIs(t, u.bios.Put(ctx, got.Bio), trestle.ErrInvalid)
		require.ErrorIs(t, u.bios.Put(ctx, &bio{User: "b", Text: document.Large[string]{Value: "x"}}), trestle.ErrInvalid)
	})
}

// A large value that another repository did not read is kept, or refused in another document.
func TestUnreadLargeValuesAreNotLost(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := withText(small("a"), 1000)
		require.NoError(t, u.profiles.Save(ctx, p))
		unread, err := u.bios.Strong().Get(ctx, bio{User: "a"})
		require.NoError(t, err)
		unread.Title = "two"
		p.Bio = &unread
		require.NoError(t, u.profiles.Save(ctx, p))
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, "two"+text(1000), contentOf(&got).Bio)

		unread.User = "b"
		other := profile{Info: info{ID: "b"}, Bio: &unread}
		require.ErrorIs(t, u.profiles.Save(ctx, &other), trestle.ErrInvalid)
		unread.Text.Value = "another text"
		require.NoError(t, u.profiles.Save(ctx, &other))
	})
}

// Empty values are stored, so a document with some is not changed by a read.
func TestEmptyLargeValuesRoundTrip(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		p.Notes[0].Body.Value = []byte{}
		p.Bio = &bio{Events: document.Large[[]event]{Value: []event{}}}
		require.NoError(t, u.profiles.Save(ctx, &p))
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.NotNil(t, got.Notes[0].Body.Value)
		require.NoError(t, u.profiles.Save(ctx, &got))
		require.Equal(t, int64(1), got.Info.Version, "nothing has changed")
	})
}

// A reference that other code has changed is an error, whatever it contains.
func TestDamagedReferencesAreNoticed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx, table := t.Context(), "users"
		p := withText(small("a"), 1000)
		require.NoError(t, u.profiles.Save(ctx, p))
		at, err := u.bio.KeyOf(bio{User: "a"})
		require.NoError(t, err)
		for _, damage := range []struct{ field, value string }{
			{"n", "-1"}, {"n", "0"}, {"n", "1000000000"}, {"size", "-1"}, {"size", "999"}, {"size", "1000000000000"},
		} {
			stored, err := u.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: at})
			require.NoError(t, err)
			_, err = u.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
				TableName: &table, Key: at, UpdateExpression: aws.String("SET #text.#field = :value"),
				ExpressionAttributeNames:  map[string]string{"#text": "text", "#field": damage.field},
				ExpressionAttributeValues: map[string]types.AttributeValue{":value": &types.AttributeValueMemberN{Value: damage.value}},
			})
			require.NoError(t, err)
			_, err = u.profiles.Read(ctx, key("a"))
			require.Error(t, err, damage)
			_, err = u.profiles.Read(ctx, key("a"), document.Parts("Notes"))
			require.NoError(t, err, "the other parts are readable")
			_, err = u.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: stored.Item})
			require.NoError(t, err)
		}
	})
}
