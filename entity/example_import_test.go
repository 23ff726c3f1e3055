package entity_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

type City struct {
	_       entity.Key `type:"city" pk:"COUNTRY#<country>" sk:"CITY#<name>"`
	Country string     `dynamodbav:"country"`
	Name    string     `dynamodbav:"name"`
	People  int        `dynamodbav:"people"`
}

var (
	Atlas  = entity.NewSchema(entity.Config{})
	Cities = entity.Define[City](Atlas)
)

var People = attr.Must(func(c *City) *int { return &c.People })

// openCities opens an empty table.
func openCities(ctx context.Context) *entity.Repo[City] {
	table, err := Atlas.Open(ddbtest.New(ddbtest.Options{}).Client(), "atlas")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	return Cities.In(table)
}

// PutMany reads a file line by line and stores the items in batches. An item that cannot be stored
// is reported, and the others are stored.
func Example_importItems() {
	ctx := context.Background()
	cities := openCities(ctx)
	lines := bufio.NewScanner(strings.NewReader("no,Bergen,294\nno,,7\nno,Oslo,717\nse,Lund,94\n"))
	err := cities.PutMany(ctx, func(yield func(*City) bool) {
		for lines.Scan() {
			fields := strings.Split(lines.Text(), ",")
			people, err := strconv.Atoi(fields[2])
			if err != nil || !yield(&City{Country: fields[0], Name: fields[1], People: people}) {
				return
			}
		}
	}, entity.Progress(func(p entity.BatchProgress) {
		fmt.Println(p.Applied, "stored with", p.Requests, "request and", p.Capacity.Write, "write units")
	}))
	var left *trestle.UnprocessedError
	if errors.As(err, &left) {
		for _, f := range left.Failures {
			fmt.Println("line", f.Index+1, "is", trestle.OutcomeOf(f.Err), "because it is invalid:", errors.Is(f.Err, trestle.ErrInvalid))
		}
	}
	fmt.Println(len(trestle.Unprocessed[*City](err)), "not stored, reading:", lines.Err())
	// Output:
	// 3 stored with 1 request and 3 write units
	// line 2 is not applied because it is invalid: true
	// 1 not stored, reading: <nil>
}

// WriteMany sends operations of any types. Those without conditions share requests.
func ExampleWriteMany() {
	ctx := context.Background()
	cities := openCities(ctx)
	err := entity.WriteMany(ctx, slices.Values([]entity.Operation{
		cities.Op().Put(&City{Country: "no", Name: "Oslo", People: 700}),
		cities.Op().Put(&City{Country: "se", Name: "Lund", People: 94}),
		cities.Op().Update(City{Country: "no", Name: "Oslo"}, People.Set(717)), // after the put of the same item
		cities.Op().Delete(City{Country: "se", Name: "Lund"}, People.Lt(50)),   // fails
	}))
	var left *trestle.UnprocessedError
	if errors.As(err, &left) {
		for _, f := range left.Failures {
			fmt.Println("operation", f.Index, "failed its condition:", errors.Is(f.Err, trestle.ErrCondition))
		}
	}
	oslo, err := cities.Get(ctx, City{Country: "no", Name: "Oslo"})
	fmt.Println(oslo.People, err)
	// Output:
	// operation 3 failed its condition: true
	// 717 <nil>
}
