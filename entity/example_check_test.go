package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// Check compares a schema with the real table and lists every difference.
func ExampleTable_Check() {
	ctx := context.Background()
	client := ddbtest.New(ddbtest.Options{}).Client()
	earlier := entity.NewSchema(entity.Config{})
	current := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	old, oldErr := earlier.Open(client, "app")
	table, err := current.Open(client, "app")
	if err := errors.Join(oldErr, err, old.Create(ctx)); err != nil {
		log.Fatal(err)
	}
	var drift *trestle.DriftError
	if errors.As(table.Check(ctx), &drift) {
		for _, d := range drift.Differences {
			fmt.Println(d)
		}
	}
	// Output:
	// global index GSI1: the table does not have it
}
