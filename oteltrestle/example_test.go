package oteltrestle_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/oteltrestle"
	"github.com/trestledb/trestle/query"
)

type Order struct {
	_        entity.Key `type:"order" pk:"CUSTOMER#<customer>" sk:"ORDER#<id>"`
	Customer string     `dynamodbav:"customer"`
	ID       string     `dynamodbav:"id"`
}

// A real program sends its spans to a collector. This example keeps them in memory.
var (
	spans  = tracetest.NewInMemoryExporter()
	traces = sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))

	Shop = entity.NewSchema(entity.Config{
		Observer: oteltrestle.NewObserver(oteltrestle.Config{TracerProvider: traces}),
	})
	Orders = entity.Define[Order](Shop)
)

// Each operation has a span, which is a child of the caller's span.
func ExampleNewObserver() {
	spans.Reset()
	ctx, caller := traces.Tracer("shop").Start(context.Background(), "GET /orders")
	table, err := Shop.Open(ddbtest.New(ddbtest.Options{}).Client(), "shop")
	if err != nil {
		log.Fatal(err)
	}
	orders := Orders.In(table)
	err = errors.Join(table.Create(ctx), orders.Create(ctx, &Order{Customer: "c1", ID: "o1"}))
	if err != nil {
		log.Fatal(err)
	}
	for order, err := range query.Of(orders, Order{Customer: "c1"}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(order.ID)
	}
	caller.End()
	for _, span := range spans.GetSpans() {
		below := span.Parent.SpanID() == caller.SpanContext().SpanID()
		fmt.Printf("%s, below the caller's: %t\n", span.Name, below)
	}
	// Output:
	// o1
	// create table shop, below the caller's: true
	// create order, below the caller's: true
	// query order, below the caller's: true
	// GET /orders, below the caller's: false
}
