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

// An old program reads and stores an item of a new program. A field with the role rest holds the
// attributes that the old struct does not have, so Put preserves them.
func Example_preserveUnknownAttributes() {
	ctx := context.Background()
	client := ddbtest.New(ddbtest.Options{}).Client()
	oldSchema, newSchema := entity.NewSchema(entity.Config{}), entity.NewSchema(entity.Config{})
	oldType, newType := entity.Define[Profile](oldSchema), entity.Define[NewProfile](newSchema)
	oldTable, oldErr := oldSchema.Open(client, "app")
	newTable, newErr := newSchema.Open(client, "app")
	if err := errors.Join(oldErr, newErr, newTable.Create(ctx)); err != nil {
		log.Fatal(err)
	}

	err := newType.In(newTable).Create(ctx, &NewProfile{ID: "u1", Name: "Ada", Theme: "dark"})
	fmt.Println("stored by the new program:", err)

	profile, err := oldType.In(oldTable).Get(ctx, Profile{ID: "u1"})
	fmt.Println("read by the old program:", profile.Name, len(profile.Rest), err)
	profile.Name = "Ada L."
	fmt.Println("stored by the old program:", oldType.In(oldTable).Put(ctx, &profile))

	after, err := newType.In(newTable).Get(ctx, NewProfile{ID: "u1"})
	fmt.Println("read by the new program:", after.Name, after.Theme, err)
	// Output:
	// stored by the new program: <nil>
	// read by the old program: Ada 1 <nil>
	// stored by the old program: <nil>
	// read by the new program: Ada L. dark <nil>
}
