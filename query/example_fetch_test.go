package query_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Report is on an index that projects the keys only, so that a change of its text writes no index
// entry.
type Report struct {
	_      entity.Key   `type:"report" pk:"REPORT#<id>" sk:"REPORT"`
	_      entity.Index `name:"by-author" on:"GSI1" pk:"AUTHOR#<author>" sk:"<id>"`
	ID     string       `dynamodbav:"id"`
	Author string       `dynamodbav:"author"`
	Text   string       `dynamodbav:"text"`
}

var (
	Library = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1", KeysOnly: true}}})
	Reports = entity.Define[Report](Library)
)

// Fetch reads the items of the entries that the index returns.
func ExampleQuery_Fetch() {
	ctx := context.Background()
	table, err := Library.Open(ddbtest.New(ddbtest.Options{}).Client(), "library")
	if err != nil {
		log.Fatal(err)
	}
	reports := Reports.In(table)
	err = errors.Join(
		table.Create(ctx),
		reports.Create(ctx, &Report{ID: "r1", Author: "ada", Text: "On engines"}),
		reports.Create(ctx, &Report{ID: "r2", Author: "ada", Text: "On looms"}),
	)
	if err != nil {
		log.Fatal(err)
	}
	byAda := query.On(reports, "by-author", Report{Author: "ada"})
	_, err = byAda.Collect(ctx)
	fmt.Println(errors.Is(err, trestle.ErrInvalid))

	for r, err := range byAda.Fetch().All(ctx) {
		fmt.Println(r.ID, r.Text, err)
	}
	explanation, err := byAda.Fetch().Explain(trestle.Assumption{Items: 50, ItemSize: 3000, EntrySize: 100})
	fmt.Println(err)
	fmt.Print(explanation)
	// Output:
	// true
	// r1 On engines <nil>
	// r2 On looms <nil>
	// <nil>
	// query report by-author
	//   table      library
	//   index      GSI1
	//   key        GSI1PK = AUTHOR#<author>
	//   reads      eventually consistent
	//   fetches    the items of the entries, by their keys, eventually consistent
	//   estimate   1 read unit for 50 entries of 100 bytes, 25 read units for their items of 3000 bytes (assumed)
}
