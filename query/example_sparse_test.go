package query_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Job is in the index while it is due. A zero field with omitempty is absent, and an item without
// an index key attribute is not in the index.
type Job struct {
	_     entity.Key   `type:"job" pk:"JOB#<id>" sk:"JOB"`
	_     entity.Index `name:"due" on:"GSI1" pk:"QUEUE#<queue>" sk:"DUE#<due_at:s>#<id>"`
	ID    string       `dynamodbav:"id"`
	Queue string       `dynamodbav:"queue"`
	DueAt time.Time    `dynamodbav:"due_at,omitempty"`
}

var (
	Queues = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Jobs   = entity.Define[Job](Queues)
	DueAt  = attr.Must(func(j *Job) *time.Time { return &j.DueAt })
)

// The index contains only the jobs that are not done.
func Example_sparseIndex() {
	ctx := context.Background()
	table, err := Queues.Open(ddbtest.New(ddbtest.Options{}).Client(), "queues")
	if err != nil {
		log.Fatal(err)
	}
	jobs := Jobs.In(table)
	noon := time.Date(2026, time.August, 1, 12, 0, 0, 0, time.UTC)
	err = errors.Join(
		table.Create(ctx),
		jobs.Create(ctx, &Job{ID: "j1", Queue: "mail", DueAt: noon}),
		jobs.Create(ctx, &Job{ID: "j2", Queue: "mail", DueAt: noon.Add(time.Hour)}),
		jobs.Create(ctx, &Job{ID: "j3", Queue: "mail"}),
	)
	if err != nil {
		log.Fatal(err)
	}
	due := query.On(jobs, "due", Job{Queue: "mail"})
	fmt.Println(due.Count(ctx))

	_, err = jobs.Update(ctx, Job{ID: "j1"}, DueAt.Remove()) // job j1 is done
	fmt.Println(err)
	fmt.Println(due.Count(ctx))
	// Output:
	// 2 <nil>
	// <nil>
	// 1 <nil>
}
