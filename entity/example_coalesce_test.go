package entity_test

import (
	"context"
	"fmt"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

type Banner struct {
	_    entity.Key `type:"banner" pk:"BANNER#<page>" sk:"BANNER"`
	Page string     `dynamodbav:"page"`
	Text string     `dynamodbav:"text"`
}

// gets counts the requests of reads.
var gets atomic.Int64

var (
	Site = entity.NewSchema(entity.Config{Observer: trestle.ObserverFunc(func(_ context.Context, e trestle.Event) {
		if e.Operation == "get" {
			gets.Add(int64(e.Requests))
		}
	})})
	Banners = entity.Define[Banner](Site)
)

// Many goroutines read the banner of the same page. Those that read it at the same time share a
// request.
func ExampleCoalesceReads() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	db.Fail(ddbtest.Op("GetItem"), ddbtest.Delay(100*time.Millisecond)) // a slow network
	table, err := Site.Open(db.Client(), "site", entity.CoalesceReads(0))
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	banners := Banners.In(table)
	if err := banners.Put(ctx, &Banner{Page: "home", Text: "Sale"}); err != nil {
		log.Fatal(err)
	}
	var done sync.WaitGroup
	for range 100 {
		done.Go(func() {
			if _, err := banners.Get(ctx, Banner{Page: "home"}); err != nil {
				log.Fatal(err)
			}
		})
	}
	done.Wait()
	fmt.Println("fewer requests than reads:", gets.Load() < 100)
	// Output:
	// fewer requests than reads: true
}
