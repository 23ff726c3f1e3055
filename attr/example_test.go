package attr_test

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

type Employee struct {
	_       entity.Key `type:"employee" pk:"COMPANY#<company>" sk:"EMPLOYEE#<id>"`
	Company string     `dynamodbav:"company"`
	ID      string     `dynamodbav:"id"`
	Status  string     `dynamodbav:"status"`
	Skills  []string   `dynamodbav:"skills,omitempty"`
	Logins  int64      `dynamodbav:"logins"`
}

var (
	Schema    = entity.NewSchema(entity.Config{})
	Employees = entity.Define[Employee](Schema)

	Status = attr.Must(func(e *Employee) *string { return &e.Status })
	Skills = attr.Must(func(e *Employee) *[]string { return &e.Skills })
	Logins = attr.Must(func(e *Employee) *int64 { return &e.Logins })
)

// Update applies changes to an item. attr.If adds conditions to them.
func Example() {
	ctx := context.Background()
	table, err := Schema.Open(ddbtest.New(ddbtest.Options{}).Client(), "app")
	if err != nil {
		log.Fatal(err)
	}
	employees := Employees.In(table)
	err = errors.Join(
		table.Create(ctx),
		employees.Create(ctx, &Employee{Company: "c1", ID: "e7", Status: "new"}),
	)
	if err != nil {
		log.Fatal(err)
	}

	e7 := Employee{Company: "c1", ID: "e7"}
	e, err := employees.Update(ctx, e7,
		Status.Set("active"), attr.Append(Skills, "go"), attr.Add(Logins, 1),
		attr.If(Status.Eq("new")))
	fmt.Println(e.Status, e.Skills, e.Logins, err)

	_, err = employees.Update(ctx, e7, attr.Add(Logins, 1), attr.If(attr.Contains(Skills, "sql")))
	fmt.Println(errors.Is(err, trestle.ErrCondition))
	// Output:
	// active [go] 1 <nil>
	// true
}
