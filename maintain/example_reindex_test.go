package maintain_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
)

// Visit is a type before an index was added.
type Visit struct {
	_    entity.Key `type:"visit" pk:"VISIT#<id>" sk:"VISIT"`
	ID   string     `dynamodbav:"id"`
	City string     `dynamodbav:"city"`
}

// CityVisit is the same type with the index.
type CityVisit struct {
	_    entity.Key   `type:"visit" pk:"VISIT#<id>" sk:"VISIT"`
	_    entity.Index `name:"by-city" on:"GSI1" pk:"CITY#<city>" sk:"<id>"`
	ID   string       `dynamodbav:"id"`
	City string       `dynamodbav:"city"`
}

var (
	OldSchema  = entity.NewSchema(entity.Config{})
	OldVisits  = entity.Define[Visit](OldSchema)
	NewSchema  = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	CityVisits = entity.Define[CityVisit](NewSchema)
)

// An index is added to a table that has items: it is created, and then filled.
func Example_newIndex() {
	ctx, client := context.Background(), ddbtest.New(ddbtest.Options{}).Client()
	old, oldErr := OldSchema.Open(client, "visits")
	table, err := NewSchema.Open(client, "visits")
	if err := errors.Join(oldErr, err, old.Create(ctx), OldVisits.In(old).Put(ctx, &Visit{ID: "1", City: "Oslo"})); err != nil {
		log.Fatal(err)
	}

	var differs *maintain.Error
	if errors.As(maintain.Check(ctx, table), &differs) {
		for _, p := range differs.Problems {
			fmt.Println(p)
			if _, err := client.UpdateTable(ctx, p.Input); err != nil { // of an IndexMissing
				log.Fatal(err)
			}
		}
	}
	fmt.Println(maintain.Check(ctx, table))

	dry, err := maintain.Reindex(ctx, table, maintain.Run{DryRun: true}, CityVisits)
	fmt.Println("to update:", dry.Updated, err)
	report, err := maintain.Reindex(ctx, table, maintain.Run{Rate: 100}, CityVisits)
	fmt.Println("updated:", report.Updated, err)
	found, err := query.On(CityVisits.In(table), "by-city", CityVisit{City: "Oslo"}).Count(ctx)
	fmt.Println("found:", found, err)
	// Output:
	// global index GSI1: the table does not have it
	// <nil>
	// to update: 1 <nil>
	// updated: 1 <nil>
	// found: 1 <nil>
}
