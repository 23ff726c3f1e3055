package query_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// seatTicket expires. One of its indexes projects the keys only.
type seatTicket struct {
	_       entity.Key   `type:"ticket" pk:"SHOW#<show>" sk:"TICKET#<id>"`
	_       entity.Index `name:"by-seat" on:"GSI1" pk:"SEAT#<seat>" sk:"<id>"`
	Show    string       `dynamodbav:"show"`
	ID      string       `dynamodbav:"id"`
	Seat    string       `dynamodbav:"seat"`
	Expires time.Time    `dynamodbav:"expires" entity:"ttl"`
}

// showPoster has the attribute of the time to live as an ordinary field.
type showPoster struct {
	_       entity.Key `type:"poster" pk:"SHOW#<show>" sk:"POSTER"`
	Show    string     `dynamodbav:"show"`
	Expires any        `dynamodbav:"expires"`
}

type ticketExpiry struct {
	ID      string    `dynamodbav:"id"`
	Expires time.Time `dynamodbav:"expires"`
}

var ticketExpires = attr.Must(func(t *seatTicket) *time.Time { return &t.Expires })

// shows is a table with tickets, and a showPoster that has a time in milliseconds.
type shows struct {
	last    lastEvent
	now     time.Time
	client  *dynamodb.Client
	table   *entity.Table
	tickets *entity.Repo[seatTicket]
	part    entity.Projection[seatTicket, ticketExpiry]
}

func newShows(t *testing.T, client *dynamodb.Client) *shows {
	t.Helper()
	// The clock is ahead of the engine's, which therefore deletes nothing.
	s := &shows{now: time.Now().Add(6 * 365 * 24 * time.Hour).Truncate(time.Second), client: client}
	schema := entity.NewSchema(entity.Config{
		Clock: func() time.Time { return s.now }, Observer: trestle.ObserverFunc(s.last.observe),
		Indexes: []entity.IndexConfig{{Name: "GSI1", KeysOnly: true}},
	})
	tickets, posters := entity.Define[seatTicket](schema), entity.Define[showPoster](schema)
	s.part = entity.Project[ticketExpiry](tickets)
	table, err := schema.Open(client, "shows", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	s.table, s.tickets = table, tickets.In(table)
	require.NoError(t, posters.In(table).Put(t.Context(), &showPoster{Show: "s", Expires: s.now.UnixMilli()}))
	return s
}

// store stores a seatTicket as another program does, with any value.
func (s *shows) store(t *testing.T, id string, expires types.AttributeValue) {
	t.Helper()
	item, err := s.tickets.Type().Encode(&seatTicket{Show: "s", ID: id, Seat: "1"})
	require.NoError(t, err)
	if expires != nil {
		item["expires"] = expires
	}
	_, err = s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("shows"), Item: item})
	require.NoError(t, err)
}

// reads are the ways to read all tickets. Each returns how many tickets with an ignored time to
// live the event of its last operation has.
func (s *shows) reads() map[string]func(context.Context) (int, error) {
	a, all := seatTicket{Show: "s", ID: "a"}, seatTicket{Show: "s"}
	event := func() int { return s.last.event.IgnoredTTL }
	return map[string]func(context.Context) (int, error){
		"get": func(ctx context.Context) (int, error) {
			_, err := s.tickets.Get(ctx, a)
			return event(), err
		},
		"get many": func(ctx context.Context) (int, error) {
			_, err := s.tickets.GetMany(ctx, []seatTicket{a})
			return event(), err
		},
		"get many of types": func(ctx context.Context) (int, error) {
			_, err := query.GetMany(ctx, query.Ref(s.tickets, a))
			return event(), err
		},
		"projection": func(ctx context.Context) (int, error) {
			_, err := s.part.Get(ctx, s.tickets, a)
			return event(), err
		},
		"transaction": func(ctx context.Context) (int, error) {
			var none, one *seatTicket
			err := tx.Read(ctx, tx.Get(s.tickets, seatTicket{Show: "s", ID: "none"}, &none), tx.Get(s.tickets, a, &one))
			return event(), err
		},
		"query": func(ctx context.Context) (int, error) {
			_, err := query.Of(s.tickets, all).Collect(ctx)
			return event(), err
		},
		"query of expired items": func(ctx context.Context) (int, error) {
			_, err := query.Of(s.tickets.With(entity.ShowExpired()), all).Collect(ctx)
			return event(), err
		},
		"fetch": func(ctx context.Context) (int, error) {
			_, err := query.On(s.tickets, "by-seat", seatTicket{Seat: "1"}).Fetch().Collect(ctx)
			return event(), err
		},
		"page": func(ctx context.Context) (int, error) {
			page, err := query.Of(s.tickets, all).Limit(10).Page(ctx, "")
			return page.IgnoredTTL, err
		},
		"progress": func(ctx context.Context) (n int, err error) {
			for _, err = range query.Scan(s.tickets).Progress(func(p query.Progress) { n = p.IgnoredTTL }).All(ctx) {
			}
			return n, err
		},
		"collection": func(ctx context.Context) (int, error) {
			var err error
			for _, err = range query.Items(ctx, query.Of(s.tickets, all).Collection()) {
			}
			return event(), err
		},
		"scan of all types": func(ctx context.Context) (int, error) {
			var err error
			for _, err = range query.ScanTable(s.table).All(ctx) {
			}
			return event(), err
		},
	}
}

// Every read counts the items whose time to live DynamoDB ignores, and returns them. It does not
// count other values, nor the same attribute of another type. An update of the time mends the item.
func TestReadsCountIgnoredTimesToLive(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := newShows(t, e.Client(t))
		number := func(n int64) types.AttributeValue {
			return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
		}
		oldest := s.now.Add(-5 * 365 * 24 * time.Hour).Unix()
		check := func(name string, ignored int) {
			for read, f := range s.reads() {
				n, err := f(t.Context())
				require.NoError(t, err, "%s: %s", name, read)
				require.Equal(t, ignored, n, "%s: %s", name, read)
			}
			n, err := query.Of(s.tickets, seatTicket{Show: "s"}).Count(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, n)
			require.Zero(t, s.last.event.IgnoredTTL, "a count reads no attributes")
		}
		for name, c := range map[string]struct {
			expires types.AttributeValue
			ignored int
		}{
			"none":            {nil, 0},
			"the next second": {number(s.now.Unix() + 1), 0},
			"the year 5138":   {number(99_999_999_999), 0},
			"milliseconds":    {number(s.now.UnixMilli()), 1},
			"a second older":  {number(oldest - 1), 1},
			"zero":            {number(0), 1},
			"NULL":            {&types.AttributeValueMemberNULL{Value: true}, 0},
		} {
			s.store(t, "a", c.expires)
			check(name, c.ignored)
		}
		s.store(t, "a", number(s.now.UnixMilli()))
		read, err := s.tickets.Get(t.Context(), seatTicket{Show: "s", ID: "a"})
		require.NoError(t, err)
		require.ErrorIs(t, s.tickets.Put(t.Context(), &read), trestle.ErrInvalid)
		meant := time.UnixMilli(read.Expires.Unix())
		require.True(t, s.now.Equal(meant))
		_, err = s.tickets.Update(t.Context(), seatTicket{Show: "s", ID: "a"}, ticketExpires.Set(meant.Add(time.Hour)))
		require.NoError(t, err)
		check("mended", 0)
	})
}

// A read that drops expired items does not count them.
func TestExpiredItemsAreNotIgnored(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := newShows(t, e.Client(t))
		for i := range 3 {
			s.store(t, fmt.Sprint(i), &types.AttributeValueMemberN{Value: strconv.FormatInt(s.now.Unix()-int64(i), 10)})
		}
		all, err := query.Of(s.tickets, seatTicket{Show: "s"}).Collect(t.Context())
		require.NoError(t, err)
		require.Empty(t, all)
		require.Zero(t, s.last.event.IgnoredTTL)
		page, err := query.On(s.tickets, "by-seat", seatTicket{Seat: "1"}).Fetch().Page(t.Context(), "")
		require.NoError(t, err)
		require.Empty(t, page.Items)
		require.Zero(t, page.Gone)
		all, err = query.Of(s.tickets.With(entity.ShowExpired()), seatTicket{Show: "s"}).Collect(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 3)
		require.Zero(t, s.last.event.IgnoredTTL)
	})
}
