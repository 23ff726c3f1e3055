package query_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// reading stores its time in seconds, and has milliseconds in its key.
type reading struct {
	_  entity.Key `type:"reading" pk:"AT#<at:ms>" sk:"ON#<on:ms>"`
	At time.Time  `dynamodbav:"at,unixtime"`
	On time.Time  `dynamodbav:"on,unixtime"`
}

// A query with the values of a stored entity finds it. Writes and reads build keys from the stored
// form of a value.
func TestQueriesFindEveryStoredItem(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	readings := entity.Define[reading](s)
	on := attr.Must(func(r *reading) *time.Time { return &r.On })
	at := time.Date(2026, 8, 1, 2, 3, 4, 567_000_000, time.UTC)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := s.Open(e.Client(t), "readings")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		r := readings.In(table)
		require.NoError(t, r.Put(t.Context(), &reading{At: at, On: at}))
		_, err = r.Get(t.Context(), reading{At: at, On: at})
		require.NoError(t, err)
		require.Len(t, collect(t, query.Of(r, reading{At: at}).All(t.Context())), 1)
		require.Len(t, collect(t, query.Of(r, reading{At: at}).Where(on.Eq(at.Truncate(time.Second))).All(t.Context())), 1)
		require.Len(t, collect(t, query.Of(r, reading{At: at}).Where(on.Lt(at)).All(t.Context())), 1)
		_, err = query.Of(r, reading{At: at}).Where(on.Eq(at)).Input()
		require.ErrorIs(t, err, trestle.ErrInvalid, "seconds are all that is stored: nothing equals this")
	})
}

// sheet has indexes that do not project all of its attributes.
type sheet struct {
	_    entity.Key   `type:"sheet" pk:"S#<id>" sk:"S"`
	_    entity.Index `name:"keys" on:"Keys" sk:"<kind>"`
	_    entity.Index `name:"some" on:"Some" pk:"KIND#<kind>" sk:"<id>"`
	_    entity.Index `name:"enough" on:"Enough" pk:"KIND#<kind>" sk:"<id>"`
	ID   string       `dynamodbav:"id"`
	Kind string       `dynamodbav:"kind"`
	Body string       `dynamodbav:"body"`
}

// A query of a local or global index that does not project all attributes of a type is rejected.
// The missing attributes would be zero values.
func TestPartialIndexesAreRefused(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Keys", Kind: entity.LocalIndex, KeysOnly: true},
		{Name: "Some", Include: []string{"id", "kind"}},
		{Name: "Enough", Include: []string{"id", "kind", "body", "_type"}},
	}})
	sheets := entity.Define[sheet](s)
	table, err := s.Open(silent{}, "sheets")
	require.NoError(t, err)
	r := sheets.In(table)
	_, err = query.On(r, "keys", sheet{ID: "1"}).Input()
	require.ErrorIs(t, err, trestle.ErrInvalid)
	_, err = query.On(r, "some", sheet{Kind: "k"}).Input()
	require.ErrorIs(t, err, trestle.ErrInvalid)
	_, err = query.On(r, "enough", sheet{Kind: "k"}).Input()
	require.NoError(t, err)
	_, err = query.On(r, "enough", sheet{Kind: "k"}).Collection().Input()
	require.ErrorIs(t, err, trestle.ErrInvalid, "other types may have more")
}

// A read yields the items before an item that cannot be decoded, and then the error.
func TestItemsBeforeABadOneAreYielded(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		table := open(t, client)
		name := table.Name()
		item, err := employees.Encode(&employee{CompanyID: "c1", ID: "e2"})
		require.NoError(t, err)
		item["hired_at"] = &types.AttributeValueMemberS{Value: "yesterday"}
		_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: item})
		require.NoError(t, err)
		var ids []string
		var last error
		for e, err := range query.Of(employees.In(table), employee{CompanyID: "c1"}).All(t.Context()) {
			if last = err; err == nil {
				ids = append(ids, e.ID)
			}
		}
		require.Equal(t, []string{"e0", "e1"}, ids)
		require.Error(t, last)
		require.NotErrorIs(t, last, trestle.ErrInvalid)
		var op *trestle.OpError
		require.ErrorAs(t, last, &op)

		n := 0
		for _, err := range query.Items(t.Context(), query.Of(companies.In(table), company{ID: "c1"}).Collection()) {
			if last = err; err == nil {
				n++
			}
		}
		require.Equal(t, 3, n)
		require.Error(t, last)
	})
}
