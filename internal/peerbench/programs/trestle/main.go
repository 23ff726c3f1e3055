// Command trestle does what command sdk does. The comparison measures its size.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

type order struct {
	_        entity.Key `type:"order" pk:"CUS#<customer>" sk:"ORD#<id>"`
	Customer string     `dynamodbav:"customer"`
	ID       string     `dynamodbav:"id"`
	Total    int64      `dynamodbav:"total"`
}

var (
	schema = entity.NewSchema(entity.Config{})
	orders = entity.Define[order](schema)
	total  = attr.Must(func(o *order) *int64 { return &o.Total })
)

func main() {
	if len(os.Args) < 2 {
		return // the comparison measures what happens before
	}
	if run(context.Background(), trestle.NewClient(aws.Config{})) != nil {
		os.Exit(1) //nolint:forbidigo // a command
	}
}

func run(ctx context.Context, client trestle.Client) error {
	table, err := schema.Open(client, "app")
	if err != nil {
		return err
	}
	repo := orders.In(table)
	o := order{Customer: "c1", ID: "7"}
	if err := repo.Put(ctx, &o); err != nil {
		return err
	}
	if o, err = repo.Get(ctx, o); err != nil {
		return err
	}
	if _, err := repo.Update(ctx, o, attr.Add(total, 1)); err != nil {
		return err
	}
	if _, err := query.Of(repo, o).Collect(ctx); err != nil {
		return err
	}
	return repo.Delete(ctx, o)
}
