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

type Setting struct {
	_     entity.Key `type:"setting" pk:"USER#<user>" sk:"SETTING#<name>"`
	User  string     `dynamodbav:"user"`
	Name  string     `dynamodbav:"name"`
	Value string     `dynamodbav:"value"`
	Saved int        `dynamodbav:"saved"`
}

var (
	Users    = entity.NewSchema(entity.Config{})
	Settings = entity.Define[Setting](Users)
	Value    = attr.Must(func(s *Setting) *string { return &s.Value })
	Saved    = attr.Must(func(s *Setting) *int { return &s.Saved })
)

// Put stores a whole item and replaces an existing one. Its conditions apply to the existing item.
func ExampleRepo_Put() {
	ctx := context.Background()
	table, err := Users.Open(ddbtest.New(ddbtest.Options{}).Client(), "users")
	if err != nil {
		log.Fatal(err)
	}
	settings := Settings.In(table)
	fmt.Println(table.Create(ctx))
	fmt.Println(settings.Put(ctx, &Setting{User: "ada", Name: "theme", Value: "dark"}))

	err = settings.Put(ctx, &Setting{User: "ada", Name: "theme", Value: "light"}, Value.Eq("blue"))
	fmt.Println(errors.Is(err, trestle.ErrCondition))
	// Output:
	// <nil>
	// <nil>
	// true
}

// Upsert changes an item, or creates it from the key and the changes.
func ExampleRepo_Upsert() {
	ctx := context.Background()
	table, err := Users.Open(ddbtest.New(ddbtest.Options{}).Client(), "users")
	if err != nil {
		log.Fatal(err)
	}
	settings := Settings.In(table)
	fmt.Println(table.Create(ctx))
	for _, theme := range []string{"dark", "light"} {
		s, err := settings.Upsert(ctx, Setting{User: "ada", Name: "theme"}, Value.Set(theme), attr.Add(Saved, 1))
		fmt.Println(s.Value, s.Saved, err)
	}
	// Output:
	// <nil>
	// dark 1 <nil>
	// light 2 <nil>
}
