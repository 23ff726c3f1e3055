package explored_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// ticket has a computed shard in the table's key, and expires.
type ticket struct {
	ID      string    `dynamodbav:"id"`
	Sum     int64     `dynamodbav:"sum"`
	Expires time.Time `dynamodbav:"expires"`
}

var ticketSum = attr.Must(func(t *ticket) *int64 { return &t.Sum })

// ticketProgram is a program of a change of the number of shards from 3 to 7.
type ticketProgram struct {
	schema  *entity.Schema
	tickets *entity.Type[ticket]
}

func newTicketProgram(shards ...int) ticketProgram {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: time.Now})
	return ticketProgram{s, entity.DefineSpec[ticket](s, entity.Spec{
		Type: "ticket", Key: entity.KeySpec{PK: "TICKET#<shard:id>", SK: "<id>", Shards: shards, Lifetime: time.Hour},
		Roles: map[string]string{"expires": "ttl"},
	})}
}

func (p ticketProgram) in(client *dynamodb.Client, name string) (*entity.Repo[ticket], error) {
	table, err := p.schema.Open(client, tableName, entity.Random(source(name)))
	if err != nil {
		return nil, err
	}
	return p.tickets.In(table), nil
}

// The programs of tickets: the first one already reads 7 shards, and the second one stores new
// items in them.
var readsSevenTickets, storesSevenTickets = newTicketProgram(7, 3), newTicketProgram(3, 7)

// ticketInThree stores a ticket in one of 3 shards. It has another one of 7.
func ticketInThree(sum int64, lifetime time.Duration) func(testing.TB, *ddbtest.DB) {
	return func(t testing.TB, db *ddbtest.DB) {
		tickets, err := newTicketProgram(3).in(db.Client(), "setup")
		require.NoError(t, err)
		require.NoError(t, tickets.Put(context.Background(), &ticket{ID: "a", Sum: sum, Expires: time.Now().Add(lifetime)}))
	}
}

// ticketClient declares a client of a program of tickets.
func (r *protocolRun) ticketClient(name string, p ticketProgram, f func(ctx context.Context, tickets *entity.Repo[ticket])) {
	r.w.Client(name, func(ctx context.Context, client *dynamodb.Client) {
		tickets, err := p.in(client, name)
		if err != nil {
			r.w.Errorf("%v", err)
			return
		}
		f(ctx, tickets)
	}, r.options...)
}

// oneTicket returns the ticket, or the zero ticket if there is none. It is an error if there are
// several.
func oneTicket(db *ddbtest.DB) (ticket, error) {
	list, err := items(db, storesSevenTickets.tickets)
	switch {
	case err != nil || len(list) == 0:
		return ticket{}, err
	case len(list) > 1:
		return ticket{}, fmt.Errorf("there are %d items of one ticket", len(list))
	default:
		return list[0], nil
	}
}

// anewPlaces returns a protocol in which both programs begin anew over a ticket in a shard of 3.
func anewPlaces(name string, weight weight, begin func(ctx context.Context, tickets *entity.Repo[ticket], name string, amount int64) error) protocol {
	return protocol{
		name: name, weight: weight, change: ticketInThree(expiredSum, -time.Minute), backoff: 3 * time.Second,
		clients: func(r *protocolRun) {
			r.ledger.reserve("alice", "bob")
			for _, name := range []string{"alice", "bob"} {
				program := map[string]ticketProgram{"alice": readsSevenTickets, "bob": storesSevenTickets}[name]
				r.ticketClient(name, program, func(ctx context.Context, tickets *entity.Repo[ticket]) {
					c := r.ledger.open(name)
					c.end(begin(ctx, tickets, name, c.amount))
				})
			}
			live := func(db *ddbtest.DB) (sum int64, err error) {
				t, err := oneTicket(db)
				if t.Expires.After(time.Now()) {
					sum = t.Sum
				}
				return sum, err
			}
			r.w.Always(func(db *ddbtest.DB) error {
				sum, err := live(db)
				if err == nil && sum >= expiredSum {
					err = errors.New("an expired ticket lives on")
				}
				return err
			})
			r.w.Finally(func(db *ddbtest.DB) error {
				sum, err := live(db)
				if err != nil {
					return err
				}
				return r.ledger.checkSum(sum)
			})
		},
	}
}

// anewPlacesUpsert: both programs add to the ticket.
var anewPlacesUpsert = anewPlaces("expired: places: upsert", vast, func(ctx context.Context, tickets *entity.Repo[ticket], _ string, amount int64) error {
	_, err := tickets.Upsert(ctx, ticket{ID: "a"}, attr.Add(ticketSum, amount))
	return err
})

// anewPlacesCreate: one program creates the ticket, and the other one adds to it.
var anewPlacesCreate = anewPlaces("expired: places: create, upsert", heavy, func(ctx context.Context, tickets *entity.Repo[ticket], name string, amount int64) error {
	if name == "bob" {
		return tickets.Create(ctx, &ticket{ID: "a", Sum: amount})
	}
	_, err := tickets.Upsert(ctx, ticket{ID: "a"}, attr.Add(ticketSum, amount))
	return err
})

// expirePlaces: a program adds to a ticket in a shard of 3, while an expired one replaces the
// ticket.
var expirePlaces = protocol{
	name: "expired: places: upsert, put", weight: medium, change: ticketInThree(0, time.Hour), backoff: 3 * time.Second,
	clients: func(r *protocolRun) {
		r.ticketClient("alice", storesSevenTickets, func(ctx context.Context, tickets *entity.Repo[ticket]) {
			_, _ = tickets.Upsert(ctx, ticket{ID: "a"}, attr.Add(ticketSum, 1))
		})
		r.ticketClient("bob", storesSevenTickets, func(ctx context.Context, tickets *entity.Repo[ticket]) {
			_ = tickets.With(entity.ShowExpired()).Put(ctx, &ticket{ID: "a", Sum: expiredSum, Expires: time.Now().Add(-time.Minute)})
		})
		r.w.Always(func(db *ddbtest.DB) error {
			t, err := oneTicket(db)
			if live := t.Expires.After(time.Now()); err == nil && !t.Expires.IsZero() && live == (t.Sum >= expiredSum) {
				err = fmt.Errorf("a ticket, live %t, has the sum %d", live, t.Sum)
			}
			if err == nil && t.Sum > expiredSum {
				err = errors.New("an upsert changed an expired ticket")
			}
			return err
		})
	},
}
