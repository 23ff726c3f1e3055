package entity_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// card is a projection of an account. It has attributes under other Go names, one that only keys
// hold, and one whose role defines its encoding.
type card struct {
	Who   string    `dynamodbav:"id"`
	Org   string    `dynamodbav:"org"`
	Until time.Time `dynamodbav:"expires"`
	*where
}

type where struct {
	Home *address `dynamodbav:"home"`
}

// Card is a card whose embedded struct can be allocated.
type Card struct {
	Who   string    `dynamodbav:"id"`
	Org   string    `dynamodbav:"org"`
	Until time.Time `dynamodbav:"expires"`
	*Where
}

// Where is embedded in Card.
type Where struct {
	Home *address `dynamodbav:"home"`
}

func TestProjection(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		accounts := entity.Define[account](s)
		cards := entity.Project[Card](accounts)
		client, table := open(t, e, s)
		repo := accounts.In(table)
		a := ann()
		a.Expires = epoch.AddDate(40, 0, 0)
		require.NoError(t, repo.Create(ctx, &a))

		for _, from := range []entity.Source[account]{repo, repo.Strong(), repo.Reader()} {
			got, err := cards.Get(ctx, from, annKey())
			require.NoError(t, err)
			require.True(t, a.Expires.Equal(got.Until))
			got.Until = time.Time{}
			require.Equal(t, Card{Who: "ann", Org: "acme", Where: &Where{Home: a.Home}}, got)
		}
		_, err := cards.Get(ctx, repo, bobKey())
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)
		_, err = cards.Get(ctx, repo, account{})
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NoWrite)

		// An item without any of the attributes still exists.
		storeRaw(t, client, "things", map[string]types.AttributeValue{"PK": avS("ORG#acme"), "SK": avS("ACC#bob")})
		got, err := cards.Get(ctx, repo, bobKey())
		require.NoError(t, err)
		require.Equal(t, Card{Org: "acme"}, got)
	})
}

// A projection without a present attribute still distinguishes an item from no item, even if it has
// no key attribute.
func TestProjectionOfAnItemWithoutItsAttributes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{})
		notes := entity.Define[note](s)
		badges := entity.Project[badge](notes)
		client, table := open(t, e, s)
		storeRaw(t, client, "things", map[string]types.AttributeValue{"PK": avS("NOTE#n"), "SK": avS("NOTE#n")})
		got, err := badges.Get(t.Context(), notes.In(table), note{ID: "n"})
		require.NoError(t, err)
		require.Zero(t, got)
		_, err = badges.Get(t.Context(), notes.In(table), note{ID: "m"})
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)
	})
}

// The request reads exactly the attributes of the projection, the key, and the type attribute.
func TestProjectionInput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config entity.Config
		want   []string
	}{
		// PK holds org.
		{entity.Config{}, []string{"PK", "SK", "_type", "id", "expires", "home"}},
		{entity.Config{TypeAttribute: entity.None}, []string{"PK", "SK", "id", "expires", "home"}},
	} {
		c.config.Indexes = []entity.IndexConfig{{Name: "GSI1"}}
		s := entity.NewSchema(c.config)
		accounts := entity.Define[account](s)
		cards := entity.Project[Card](accounts)
		table, err := s.Open(canned(says(200, `{}`)), "app")
		require.NoError(t, err)
		in, err := cards.Input(accounts.In(table).Strong(), annKey())
		require.NoError(t, err)
		var names []string
		for _, name := range in.ExpressionAttributeNames {
			names = append(names, name)
		}
		require.ElementsMatch(t, c.want, names)
		require.NotEmpty(t, *in.ProjectionExpression)
		require.True(t, *in.ConsistentRead)
		require.Equal(t, "app", *in.TableName)
	}
}

// Mistakes of a projection are reported with all others, by field.
func TestInvalidProjections(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	accounts := entity.Define[account](s)
	type wrong struct {
		ID     int                             `dynamodbav:"id"`
		Emial  string                          `dynamodbav:"emial"`
		Status string                          `dynamodbav:"status,omitemty"`
		Rest   map[string]types.AttributeValue `dynamodbav:"-rest"`
		Skills []string                        `dynamodbav:"skills"`
	}
	entity.Project[wrong](accounts)
	entity.Project[struct{}](accounts)
	entity.Project[string](accounts)
	entity.Project[card](accounts) // its embedded pointer cannot be set
	var e *trestle.DefinitionError
	require.ErrorAs(t, s.Err(), &e)
	var fields []string
	for _, f := range e.Issues {
		require.Equal(t, "account", f.Entity)
		require.NotEmpty(t, f.Reason)
		fields = append(fields, f.Field)
	}
	require.Equal(t, []string{"Status", "ID", "Emial", "Rest", "", "", "where"}, fields)
	_, err := s.Open(canned(says(200, `{}`)), "app")
	require.ErrorAs(t, err, &e)
}
