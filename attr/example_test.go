package attr_test

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/attr"
)

// Handles are package variables: they need no table and no client.
func Example_handles() {
	type Address struct {
		City string `dynamodbav:"city"`
	}
	type Employee struct {
		Status  string    `dynamodbav:"status"`
		HiredAt time.Time `dynamodbav:"hired_at"`
		Work    *Address  `dynamodbav:"work,omitempty"`
		Skills  []string  `dynamodbav:"skills,omitempty"`
		Logins  int64     `dynamodbav:"logins"`
	}
	var (
		Status  = attr.Must(func(e *Employee) *string { return &e.Status })
		HiredAt = attr.Must(func(e *Employee) *time.Time { return &e.HiredAt })
		City    = attr.Must(func(e *Employee) *string { return &e.Work.City })
		Skills  = attr.Must(func(e *Employee) *[]string { return &e.Skills })
		Logins  = attr.Must(func(e *Employee) *int64 { return &e.Logins })
	)

	fmt.Println(attr.During(HiredAt, attr.Month(2026, 8)))
	fmt.Println(attr.Or(Status.Eq("active"), attr.Contains(Skills, "sql")))
	fmt.Println(City.Set("Bergen"), attr.Append(Skills, "go"), attr.Add(Logins, 1), attr.If(Logins.Ge(3)))
	// Output:
	// hired_at >= ? AND hired_at < ?
	// status = ? OR contains(skills, ?)
	// Set(work.city, ?) Append(skills, ?) Add(logins, ?) If(logins >= ?)
}
