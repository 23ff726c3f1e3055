package entity_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
)

type Invoice struct {
	_  entity.Key   `type:"invoice" pk:"CUS#<customer>" sk:"INV#<issued>"`
	_  entity.Index `name:"by-number" on:"GSI7" pk:"INV#<id>" sk:"INV"`
	ID string       `dynamodbav:"id,omitemty"`

	Customer string    `dynamodbav:"customer_id"`
	Issued   time.Time `dynamodbav:"issued"`
	Version  int64     `dynamodbav:"version" entity:"verzion"`
}

// Err reports all mistakes in all types at once. The test of an application's schema is one line:
// require.NoError(t, Schema.Err()).
func ExampleSchema_Err() {
	schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	entity.Define[Invoice](schema)

	var invalid *trestle.DefinitionError
	if errors.As(schema.Err(), &invalid) {
		for _, issue := range invalid.Issues {
			fmt.Printf("%s: %s\n", issue.Field, issue.Reason)
		}
	}
	// Output:
	// entity.Key: the type has no attribute "customer"
	// entity.Key: a time needs a format to sort
	// entity.Index by-number: the table has no index "GSI7"
	// ID: unknown option omitemty
	// Version: unknown role verzion
}
