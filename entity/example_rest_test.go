package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// Profile is stored by the old program.
type Profile struct {
	_    entity.Key                      `type:"profile" pk:"USER#<id>" sk:"PROFILE"`
	ID   string                          `dynamodbav:"id"`
	Name string                          `dynamodbav:"name"`
	Rest map[string]types.AttributeValue `entity:"rest"`
}

// NewProfile is stored by the new program under the same key.
type NewProfile struct {
	_     entity.Key `type:"profile" pk:"USER#<id>" sk:"PROFILE"`
	ID    string     `dynamodbav:"id"`
	Name  string     `dynamodbav:"name"`
	Theme string     `dynamodbav:"theme"`
}

// A field with the role rest holds the attributes without a field, so Get and Put preserve them.
func Example_attributesWithoutAField() {
	ctx := context.Background()
	client := ddbtest.New(ddbtest.Options{}).Client()
	today, tomorrow := entity.NewSchema(entity.Config{}), entity.NewSchema(entity.Config{})
	oldType, newType := entity.Define[Profile](today), entity.Define[NewProfile](tomorrow)
	oldTable, oldErr := today.Open(client, "app")
	newTable, newErr := tomorrow.Open(client, "app")
	if err := errors.Join(oldErr, newErr, newTable.Create(ctx)); err != nil {
		log.Fatal(err)
	}

	err := newType.In(newTable).Create(ctx, &NewProfile{ID: "u1", Name: "Ada", Theme: "dark"})
	fmt.Println("stored tomorrow:", err)

	profile, err := oldType.In(oldTable).Get(ctx, Profile{ID: "u1"})
	fmt.Println("read today:", profile.Name, len(profile.Rest), err)
	profile.Name = "Ada L."
	fmt.Println("stored today:", oldType.In(oldTable).Put(ctx, &profile))

	after, err := newType.In(newTable).Get(ctx, NewProfile{ID: "u1"})
	fmt.Println("read tomorrow:", after.Name, after.Theme, err)
	// Output:
	// stored tomorrow: <nil>
	// read today: Ada 1 <nil>
	// stored today: <nil>
	// read tomorrow: Ada L. dark <nil>
}
