package query_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Project and its members have the same partition key. They form one item collection.
type Project struct {
	_    entity.Key `type:"project" pk:"PROJECT#<id>" sk:"#"`
	ID   string     `dynamodbav:"id"`
	Name string     `dynamodbav:"name"`
}

type Member struct {
	_       entity.Key `type:"member" pk:"PROJECT#<project>" sk:"MEMBER#<user>"`
	Project string     `dynamodbav:"project"`
	User    string     `dynamodbav:"user"`
}

var (
	Work     = entity.NewSchema(entity.Config{})
	Projects = entity.Define[Project](Work)
	Members  = entity.Define[Member](Work)
)

// openWork opens a table with a project and two members.
func openWork(ctx context.Context) *entity.Table {
	table, err := Work.Open(ddbtest.New(ddbtest.Options{}).Client(), "work")
	if err != nil {
		log.Fatal(err)
	}
	err = errors.Join(
		table.Create(ctx),
		Projects.In(table).Create(ctx, &Project{ID: "p1", Name: "Bridge"}),
		Members.In(table).Create(ctx, &Member{Project: "p1", User: "ada"}),
		Members.In(table).Create(ctx, &Member{Project: "p1", User: "bob"}),
	)
	if err != nil {
		log.Fatal(err)
	}
	return table
}

// One query reads a project with its members into a struct.
func Example_itemCollection() {
	ctx := context.Background()
	table := openWork(ctx)
	var view struct {
		Project Project
		Members []Member
	}
	err := query.Load(ctx, query.Of(Projects.In(table), Project{ID: "p1"}).Collection(), &view)
	fmt.Println(view.Project.Name, err)
	for _, m := range view.Members {
		fmt.Println(m.User)
	}
	// Output:
	// Bridge <nil>
	// ada
	// bob
}

// Items yields each item of a collection as a value of its Go type.
func ExampleItems() {
	ctx := context.Background()
	table := openWork(ctx)
	collection := query.Of(Projects.In(table), Project{ID: "p1"}).Collection()
	for item, err := range query.Items(ctx, collection) {
		if err != nil {
			log.Fatal(err)
		}
		switch item := item.(type) {
		case Project:
			fmt.Println("project", item.Name)
		case Member:
			fmt.Println("member", item.User)
		case entity.Raw:
			fmt.Println("an item of a type that this program does not know")
		}
	}
	// Output:
	// project Bridge
	// member ada
	// member bob
}

// GetMany reads items of several types by their keys, with one request. It returns nil for an item
// that does not exist.
func ExampleGetMany() {
	ctx := context.Background()
	table := openWork(ctx)
	found, err := query.GetMany(ctx,
		query.Ref(Members.In(table), Member{Project: "p1", User: "bob"}),
		query.Ref(Projects.In(table), Project{ID: "p1"}),
		query.Ref(Projects.In(table), Project{ID: "p2"}),
	)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found[0].(Member).User, found[1].(Project).Name, found[2])
	// Output:
	// bob Bridge <nil>
}
