package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// Task has an index on its state and priority.
type Task struct {
	_        entity.Key   `type:"task" pk:"TASK#<id>" sk:"TASK"`
	_        entity.Index `name:"by-state" on:"GSI1" pk:"TASKS" sk:"STATE#<state>#<priority:02>"`
	ID       string       `dynamodbav:"id"`
	State    string       `dynamodbav:"state"`
	Priority int          `dynamodbav:"priority"`
}

var (
	Board    = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Tasks    = entity.Define[Task](Board)
	State    = attr.Must(func(t *Task) *string { return &t.State })
	Priority = attr.Must(func(t *Task) *int { return &t.Priority })
)

// The index key holds the state and the priority. An update of one of them needs the other: from
// the example, from a change in the same call, or, with ReadFirst, from the item itself.
func ExampleReadFirst() {
	ctx := context.Background()
	table, err := Board.Open(ddbtest.New(ddbtest.Options{}).Client(), "board")
	if err != nil {
		log.Fatal(err)
	}
	tasks := Tasks.In(table)
	err = errors.Join(table.Create(ctx), tasks.Create(ctx, &Task{ID: "t1", State: "open", Priority: 5}))
	if err != nil {
		log.Fatal(err)
	}

	_, err = tasks.Update(ctx, Task{ID: "t1"}, State.Set("done"))
	fmt.Println(errors.Is(err, trestle.ErrInvalid)) // the error names the priority

	_, err = tasks.Update(ctx, Task{ID: "t1", Priority: 5}, State.Set("done"))
	fmt.Println(err) // the write checks the given priority

	t1, err := tasks.With(entity.ReadFirst()).Update(ctx, Task{ID: "t1"}, attr.Add(Priority, 1))
	fmt.Println(t1.State, t1.Priority, err)
	// Output:
	// true
	// <nil>
	// done 6 <nil>
}
