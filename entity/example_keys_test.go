package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

type Ticket struct {
	_      entity.Key   `type:"ticket" pk:"TEAM#<team>" sk:"TICKET#<id>"`
	_      entity.Index `name:"by-due" on:"GSI1" pk:"TEAM#<team>" sk:"DUE#<due:day>#<id>"`
	Team   string       `dynamodbav:"team"`
	ID     string       `dynamodbav:"id"`
	Due    time.Time    `dynamodbav:"due"`
	Effort int          `dynamodbav:"effort"`
}

var (
	Desk    = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Tickets = entity.Define[Ticket](Desk)
)

var (
	Due    = attr.Must(func(t *Ticket) *time.Time { return &t.Due })
	Effort = attr.Must(func(t *Ticket) *int { return &t.Effort })
)

// Encode returns the item that is stored for an entity, without a client.
func Example_keysOfAnItem() {
	due := time.Date(2026, time.August, 1, 9, 0, 0, 0, time.UTC)
	item, err := Tickets.Encode(&Ticket{Team: "web", ID: "t7", Due: due})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"PK", "SK", "GSI1PK", "GSI1SK", "_type"} {
		fmt.Println(name, item[name].(*types.AttributeValueMemberS).Value)
	}
	// Output:
	// PK TEAM#web
	// SK TICKET#t7
	// GSI1PK TEAM#web
	// GSI1SK DUE#2026-08-01#t7
	// _type ticket
}

// KeyOf returns the table key of an example. Values are escaped. A missing part is an error.
func ExampleType_KeyOf() {
	key, err := Tickets.KeyOf(Ticket{Team: "web#TICKET#t7", ID: "x"})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"PK", "SK"} {
		fmt.Println(name, key[name].(*types.AttributeValueMemberS).Value)
	}

	_, err = Tickets.KeyOf(Ticket{ID: "t7"})
	fmt.Println(errors.Is(err, trestle.ErrInvalid))
	// Output:
	// PK TEAM#web$HTICKET$Ht7
	// SK TICKET#x
	// true
}

// When a field of an index key changes, the same request updates the key.
func Example_updateWithoutAStaleIndex() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	table, err := Desk.Open(db.Client(), "desk")
	if err != nil {
		log.Fatal(err)
	}
	tickets := Tickets.In(table)
	july := time.Date(2026, time.July, 1, 0, 0, 0, 0, time.UTC)
	august := time.Date(2026, time.August, 1, 0, 0, 0, 0, time.UTC)
	err = errors.Join(table.Create(ctx), tickets.Create(ctx, &Ticket{Team: "web", ID: "t7", Due: july}))
	if err != nil {
		log.Fatal(err)
	}

	updated, err := tickets.Update(ctx, Ticket{Team: "web", ID: "t7"}, Due.Set(august))
	fmt.Println(updated.Due.Format(time.DateOnly), err)
	for _, item := range db.Dump("desk") {
		fmt.Println(item["GSI1SK"].(*types.AttributeValueMemberS).Value)
	}
	// Output:
	// 2026-08-01 <nil>
	// DUE#2026-08-01#t7
}

// Input returns the request that an operation would send.
func ExampleOp_Input() {
	table, err := Desk.Open(ddbtest.New(ddbtest.Options{}).Client(), "desk")
	if err != nil {
		log.Fatal(err)
	}
	in, err := Tickets.In(table).Op().Update(Ticket{Team: "web", ID: "t7"}, attr.Add(Effort, 3)).Input()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*in.Update.TableName, *in.Update.UpdateExpression, in.Update.ExpressionAttributeNames)
	// Output:
	// desk ADD #n0 :v0 map[#n0:effort #n1:PK]
}

// Definition returns the definition of a schema's table, for tools that create tables.
func ExampleSchema_Definition() {
	in := Desk.Definition("desk")
	fmt.Println(*in.TableName, in.BillingMode)
	for _, k := range in.KeySchema {
		fmt.Println(k.KeyType, *k.AttributeName)
	}
	for _, index := range in.GlobalSecondaryIndexes {
		fmt.Println(*index.IndexName, index.Projection.ProjectionType)
	}
	// Output:
	// desk PAY_PER_REQUEST
	// HASH PK
	// RANGE SK
	// GSI1 ALL
}
