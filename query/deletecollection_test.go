package query_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// The items of a user: photos, which the album and the user count, and a profile with a unique
// name.
type (
	photo struct {
		_     entity.Key     `type:"photo" pk:"USER#<user>" sk:"PHOTO#<id>"`
		_     entity.Index   `name:"by-album" on:"GSI1" pk:"ALBUM#<album>" sk:"<id>"`
		_     entity.Counted `in:"album" as:"photos" pk:"ALBUM#<album>" sk:"ALBUM"`
		_     entity.Counted `in:"profile" as:"photos" pk:"USER#<user>" sk:"PROFILE"`
		User  string         `dynamodbav:"user"`
		ID    string         `dynamodbav:"id"`
		Album string         `dynamodbav:"album,omitempty"`
	}
	profile struct {
		_      entity.Key `type:"profile" pk:"USER#<user>" sk:"PROFILE"`
		User   string     `dynamodbav:"user"`
		Name   string     `dynamodbav:"name,omitempty" entity:"unique"`
		Photos int        `dynamodbav:"photos"`
	}
	album struct {
		_      entity.Key `type:"album" pk:"ALBUM#<id>" sk:"ALBUM"`
		ID     string     `dynamodbav:"id"`
		Photos int        `dynamodbav:"photos"`
	}
	stay struct {
		_    entity.Key `type:"stay" pk:"USER#<user>" sk:"STAY#<n:06>"`
		User string     `dynamodbav:"user"`
		N    int        `dynamodbav:"n"`
	}
)

// gallery is a table of users.
type gallery struct {
	client   *dynamodb.Client
	photos   *entity.Repo[photo]
	profiles *entity.Repo[profile]
	albums   *entity.Repo[album]
	visits   *entity.Repo[stay]
	Visits   *entity.Type[stay]
}

func newGallery(t *testing.T, client *dynamodb.Client) *gallery {
	t.Helper()
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	photos, profiles, albums, visits := entity.Define[photo](s), entity.Define[profile](s), entity.Define[album](s), entity.Define[stay](s)
	table, err := s.Open(client, "gallery", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return &gallery{client, photos.In(table), profiles.In(table), albums.In(table), visits.In(table), visits}
}

// fill stores users a and ab, with photos in one album, n visits and an item of an unknown type.
func (g *gallery) fill(t *testing.T, n int) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, g.albums.Create(ctx, &album{ID: "x"}))
	for _, user := range []string{"a", "ab"} {
		require.NoError(t, g.profiles.Create(ctx, &profile{User: user, Name: "name of " + user}))
		for i := range 3 {
			require.NoError(t, g.photos.Create(ctx, &photo{User: user, ID: fmt.Sprint(i), Album: "x"}))
		}
		var list []*stay
		for i := range n {
			list = append(list, &stay{User: user, N: i})
		}
		require.NoError(t, g.visits.PutMany(ctx, slices.Values(list)))
		_, err := g.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("gallery"), Item: map[string]types.AttributeValue{
			"PK": &types.AttributeValueMemberS{Value: "USER#" + user}, "SK": &types.AttributeValueMemberS{Value: "Z"},
			"_type": &types.AttributeValueMemberS{Value: "other"},
		}})
		require.NoError(t, err)
	}
}

// size returns the number of all items in the table, including guards.
func (g *gallery) size(t *testing.T) (n int) {
	t.Helper()
	pages := dynamodb.NewScanPaginator(g.client, &dynamodb.ScanInput{TableName: aws.String("gallery"), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		out, err := pages.NextPage(context.WithoutCancel(t.Context()))
		require.NoError(t, err)
		n += len(out.Items)
	}
	return n
}

// A collection is deleted with its guards and the counts in other collections. Other collections,
// also one whose key begins with the same text, stay.
func TestDeleteCollection(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		g := newGallery(t, e.Client(t))
		const visits = 60
		g.fill(t, visits)
		before := g.size(t)
		d, err := query.Of(g.profiles, profile{User: "a"}).Collection().Delete(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1+3+visits+1, d.Items)
		require.Equal(t, map[string]int{"profile": 1, "photo": 3, "stay": visits, "": 1}, d.ByType)
		require.Equal(t, 1, d.Guards)
		require.Positive(t, d.Capacity.Write)
		require.Equal(t, before-d.Items-d.Guards, g.size(t))
		x, err := g.albums.Strong().Get(t.Context(), album{ID: "x"})
		require.NoError(t, err)
		require.Equal(t, 3, x.Photos)
		other, err := g.profiles.Strong().Get(t.Context(), profile{User: "ab"})
		require.NoError(t, err)
		require.Equal(t, 3, other.Photos)
		require.NoError(t, g.profiles.Create(t.Context(), &profile{User: "new", Name: "name of a"}), "the name is free")

		d, err = query.Of(g.profiles, profile{User: "a"}).Collection().Delete(t.Context())
		require.NoError(t, err)
		require.Zero(t, d.Items)

		d, err = query.Of(g.profiles, profile{User: "ab"}).PageSize(7).Collection().Prefix("STAY#").Delete(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[string]int{"stay": visits}, d.ByType)
		require.Equal(t, 1+3+1, count(t, g, "ab"))
		d, err = query.Of(g.profiles, profile{User: "ab"}).Collection().Types(g.photos.Type()).Delete(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[string]int{"photo": 3}, d.ByType)
		other, err = g.profiles.Strong().Get(t.Context(), profile{User: "ab"})
		require.NoError(t, err)
		require.Zero(t, other.Photos, "the profile remains")
		x, err = g.albums.Strong().Get(t.Context(), album{ID: "x"})
		require.NoError(t, err)
		require.Zero(t, x.Photos)
	})
}

func count(t *testing.T, g *gallery, user string) int {
	t.Helper()
	n := 0
	for _, err := range query.Items(t.Context(), query.Of(g.profiles.Strong(), profile{User: user}).Collection()) {
		require.NoError(t, err)
		n++
	}
	return n
}

// After a failure, a second call deletes what is left.
func TestDeleteCollectionResumes(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	g := newGallery(t, db.Client())
	g.fill(t, 200)
	collection := query.Of(g.profiles, profile{User: "a"}).PageSize(40).Collection()
	rule := db.Fail(ddbtest.Op("BatchWriteItem"), ddbtest.Nth(3), ddbtest.Error("AccessDeniedException", "m", 400))
	d, err := collection.Delete(t.Context(), entity.Concurrency(1))
	require.ErrorAs(t, err, new(*trestle.UnprocessedError))
	require.Equal(t, 1, rule.Hits())
	require.Positive(t, d.Items)
	require.Less(t, d.Items, 205)
	again, err := collection.Delete(t.Context())
	require.NoError(t, err)
	require.Equal(t, 205, d.Items+again.Items)
	require.Zero(t, count(t, g, "a"))

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = query.Of(g.profiles, profile{User: "ab"}).Collection().Delete(ended)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 205, count(t, g, "ab"))
}

// If the deletion stops anywhere, the counts of the remaining items are right. A second call
// deletes the rest.
func TestDeleteCollectionKeepsCounts(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	requests := 0
	for stop := 1; ; stop++ {
		db := ddbtest.Start(t)
		g := newGallery(t, db.Client())
		g.fill(t, 30)
		rule := db.Fail(ddbtest.Nth(stop), ddbtest.Error("AccessDeniedException", "m", 400))
		narrow := func(c query.Collection) query.Collection {
			if stop%2 == 0 {
				return c.Between("PHOTO#1", "STAY#9")
			}
			return c
		}
		collection := narrow(query.Of(g.profiles, profile{User: "a"}).PageSize(3).Collection())
		_, err := collection.Delete(t.Context(), entity.Concurrency(1))
		if rule.Hits() == 0 {
			require.NoError(t, err)
			break
		}
		g.requireCounts(t)
		requests++
		_, err = collection.Delete(t.Context())
		require.NoError(t, err)
		g.requireCounts(t)
	}
	require.Greater(t, requests, 10)
}

// requireCounts requires that the stored counts are the numbers of the stored photos.
func (g *gallery) requireCounts(t *testing.T) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	inAlbum := 0
	for _, user := range []string{"a", "ab"} {
		photos, err := query.Of(g.photos.Strong(), photo{User: user}).Collect(ctx)
		require.NoError(t, err)
		inAlbum += len(photos)
		p, err := g.profiles.Strong().Get(ctx, profile{User: user})
		if !errors.Is(err, trestle.ErrNotFound) {
			require.NoError(t, err)
			require.Equal(t, len(photos), p.Photos, user)
		}
	}
	x, err := g.albums.Strong().Get(ctx, album{ID: "x"})
	require.NoError(t, err)
	require.Equal(t, inAlbum, x.Photos)
}

func TestDeleteCollectionMistakes(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	g := newGallery(t, db.Client())
	sent := len(db.Requests())
	id := attr.Must(func(p *photo) *string { return &p.ID })
	for name, c := range map[string]query.Collection{
		"an index": query.On(g.photos, "by-album", photo{Album: "x"}).Collection(),
		"a filter": query.Filter(query.Of(g.photos, photo{User: "a"}).Collection(), id.Eq("1")),
		"a limit":  query.Of(g.photos, photo{User: "a"}).Limit(3).Collection(),
		"no key":   query.Of(g.photos, photo{}).Collection(),
		"nothing":  {},
	} {
		_, err := c.Delete(t.Context())
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), name)
	}
	require.Len(t, db.Requests(), sent)
}
