package schematest_test

import (
	"fmt"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/schema"
)

type Order struct {
	_        entity.Key `type:"order" pk:"CUSTOMER#<customer>" sk:"ORDER#<id>"`
	Customer string     `dynamodbav:"customer"`
	ID       string     `dynamodbav:"id"`
	Note     string     `dynamodbav:"note"`
}

var (
	Schema = entity.NewSchema(entity.Config{})
	Orders = entity.Define[Order](Schema)
)

// The test of an application keeps the schema's chart and description in a folder, and fails when
// the schema changes.
func ExampleCheck() {
	// The test is one line:
	//
	//	func TestSchema(t *testing.T) { schematest.Check(t, Schema, "testdata/schema") }
	//
	// When a key or an attribute changes, the test reports the effect on the stored items. It
	// compares the schema with this description, which it wrote to testdata/schema/schema.txt:
	fmt.Print(schema.Text(Schema))
	// Output:
	// description 1
	// keys format 1, escaped, delimiter "#"
	// table PK:S / SK:S
	// type in _type
	//
	// entity order
	// key PK CUSTOMER#<customer>
	// key SK ORDER#<id>
	// attribute customer S
	// attribute id S
	// attribute note S
}
