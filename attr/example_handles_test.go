package attr_test

import (
	"fmt"

	"github.com/trestledb/trestle/attr"
)

// Must returns the handle of a field. The argument returns the address of the field. A handle needs
// no table and no client, so handles are package variables.
func ExampleMust() {
	type Address struct {
		City string `dynamodbav:"city"`
	}
	type Customer struct {
		Name  string    `dynamodbav:"name"`
		Home  *Address  `dynamodbav:"home,omitempty"`
		Limit *int64    `dynamodbav:"limit,omitempty"`
		Past  []Address `dynamodbav:"past,omitempty"`
	}
	var (
		Name  = attr.Must(func(c *Customer) *string { return &c.Name })
		City  = attr.Must(func(c *Customer) *string { return &c.Home.City }) // a field of a nested struct
		Limit = attr.Must(func(c *Customer) *int64 { return c.Limit })       // the field is a pointer
		Past  = attr.Must(func(c *Customer) *[]Address { return &c.Past })
	)
	fmt.Println(Name, City, Limit, Past)

	// The printed form of a condition or a change never shows an operand.
	fmt.Println(City.Eq("Bergen"))
	fmt.Println(Limit.Set(500), attr.Append(Past, Address{City: "Oslo"}))
	// Output:
	// name home.city limit past
	// home.city = ?
	// Set(limit, ?) Append(past, ?)
}

// Find makes handles at run time. It returns an error where Must panics.
func ExampleFind() {
	type Customer struct {
		Name string `dynamodbav:"name"`
	}
	name, err := attr.Find(func(c *Customer) *string { return &c.Name })
	fmt.Println(name, err)

	var other Customer
	_, err = attr.Find(func(*Customer) *string { return &other.Name })
	fmt.Println(err != nil)
	// Output:
	// name <nil>
	// true
}
