package explored_test

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// seat has a computed shard in the table's key.
type seat struct {
	ID  string `dynamodbav:"id"`
	Sum int64  `dynamodbav:"sum"`
}

// The programs of a change of the number of shards from 3 to 7. The first one already reads 7
// shards, and the second one already stores new items in them.
var readsSeven, storesSeven = newSeatProgram(7, 3), newSeatProgram(3, 7)

type seatProgram struct {
	schema *entity.Schema
	seats  *entity.Type[seat]
}

func newSeatProgram(shards ...int) seatProgram {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: time.Now})
	key := entity.KeySpec{PK: "SEAT#<shard:id>", SK: "<id>", Shards: shards}
	return seatProgram{s, entity.DefineSpec[seat](s, entity.Spec{Type: "seat", Key: key})}
}

var seatSum = attr.Must(func(s *seat) *int64 { return &s.Sum })

// seatClients declares a client of each program. Seat a has another shard of 3 than of 7.
func seatClients(r *protocolRun, alice, bob seatProgram, f func(ctx context.Context, name string, seats *entity.Repo[seat])) {
	programs := map[string]seatProgram{"alice": alice, "bob": bob}
	for _, name := range []string{"alice", "bob"} {
		program := programs[name]
		r.w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
			table, err := program.schema.Open(c, tableName, entity.Random(source(name)))
			if err != nil {
				panic(err)
			}
			f(ctx, name, program.seats.In(table))
		}, r.options...)
	}
	r.w.Always(func(db *ddbtest.DB) error {
		list, err := items(db, storesSeven.seats)
		if err == nil && len(list) > 1 {
			err = fmt.Errorf("there are %d items of one seat", len(list))
		}
		return err
	})
}

// placesUpsert: both programs create or change the same item.
var placesUpsert = protocol{
	name: "places: upsert", weight: medium,
	clients: func(r *protocolRun) {
		r.ledger.reserve("alice", "bob")
		seatClients(r, readsSeven, storesSeven, func(ctx context.Context, name string, seats *entity.Repo[seat]) {
			c := r.ledger.open(name)
			_, err := seats.Upsert(ctx, seat{ID: "a"}, attr.Add(seatSum, c.amount))
			c.end(err)
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			list, err := items(db, storesSeven.seats)
			if err != nil {
				return err
			}
			sum := int64(0)
			for _, s := range list {
				sum += s.Sum
			}
			if err := r.ledger.noneFailed(); err != nil {
				return err
			}
			return r.ledger.checkSum(sum)
		})
	},
}

// placesPut: an item is deleted and created again, while another client changes it in its old
// place.
var placesPut = protocol{
	name: "places: delete, create, put, update", weight: heavy,
	foreign: func() (map[string]types.AttributeValue, error) {
		return newSeatProgram(3).seats.Encode(&seat{ID: "a", Sum: 1})
	},
	clients: func(r *protocolRun) {
		seatClients(r, storesSeven, storesSeven, func(ctx context.Context, name string, seats *entity.Repo[seat]) {
			if name == "alice" {
				_ = seats.Delete(ctx, seat{ID: "a"})
				_ = seats.Create(ctx, &seat{ID: "a", Sum: 2})
				return
			}
			_ = seats.Put(ctx, &seat{ID: "a", Sum: 3})
			_, _ = seats.Update(ctx, seat{ID: "a"}, seatSum.Set(4))
		})
	},
}
