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

// expiredTicket stores a ticket in one of 3 shards. It has another one of 7.
func expiredTicket(t testing.TB, db *ddbtest.DB) {
	tickets, err := newTicketProgram(3).in(db.Client(), "setup")
	require.NoError(t, err)
	require.NoError(t, tickets.Put(context.Background(), &ticket{ID: "a", Sum: expiredSum, Expires: time.Now().Add(-time.Minute)}))
}

// anewPlaces returns a protocol in which both programs begin anew over a ticket in a shard of 3.
func anewPlaces(name string, weight weight, begin func(ctx context.Context, tickets *entity.Repo[ticket], name string, amount int64) error) protocol {
	return protocol{
		name: name, weight: weight, change: expiredTicket, backoff: 3 * time.Second,
		clients: func(r *protocolRun) {
			r.ledger.reserve("alice", "bob")
			for _, name := range []string{"alice", "bob"} {
				program := map[string]ticketProgram{"alice": readsSevenTickets, "bob": storesSevenTickets}[name]
				r.w.Client(name, func(ctx context.Context, client *dynamodb.Client) {
					tickets, err := program.in(client, name)
					if err != nil {
						r.w.Errorf("%v", err)
						return
					}
					c := r.ledger.open(name)
					c.end(begin(ctx, tickets, name, c.amount))
				}, r.options...)
			}
			live := func(db *ddbtest.DB) (sum int64, err error) {
				list, err := items(db, storesSevenTickets.tickets)
				if err == nil && len(list) > 1 {
					err = fmt.Errorf("there are %d items of one ticket", len(list))
				}
				for _, t := range list {
					if t.Expires.After(time.Now()) {
						sum += t.Sum
					}
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
