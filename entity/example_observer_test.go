package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

type Badger struct {
	_    entity.Key `type:"badger" pk:"BADGER#<id>" sk:"BADGER"`
	ID   string     `dynamodbav:"id"`
	Name string     `dynamodbav:"name"`
}

var (
	Forest  = entity.NewSchema(entity.Config{Observer: tracer{}})
	Badgers = entity.Define[Badger](Forest)
)

// tracer prints operations as a tracer would record them.
type tracer struct{}

type traceKey struct{}

// Start adds a value for End to the context. Here it is a name. A tracer adds a span, and the
// requests of the operation become its children.
func (tracer) Start(ctx context.Context, op trestle.OperationInfo) context.Context {
	return context.WithValue(ctx, traceKey{}, strings.TrimSpace(op.Operation+" "+op.Entity))
}

// End has the context that Start returned.
func (tracer) End(ctx context.Context, e trestle.Event) {
	name, _ := ctx.Value(traceKey{}).(string)
	fmt.Printf("%s: %v, %d items, %g read units, %g write units\n", name, e.Outcome, e.Items, e.Capacity.Read, e.Capacity.Write)
}

// An observer is notified when an operation starts and when it ends.
func ExampleObserver() {
	ctx := context.Background()
	table, err := Forest.Open(ddbtest.New(ddbtest.Options{}).Client(), "forest")
	if err != nil {
		log.Fatal(err)
	}
	badgers := Badgers.In(table)
	err = errors.Join(table.Create(ctx), badgers.Create(ctx, &Badger{ID: "b1", Name: "Tommy"}))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := badgers.Get(ctx, Badger{ID: "b1"}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// create table: applied, 0 items, 0 read units, 0 write units
	// create badger: applied, 0 items, 0 read units, 1 write units
	// get badger: no write, 1 items, 0.5 read units, 0 write units
}
