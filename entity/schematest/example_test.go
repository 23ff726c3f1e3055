package schematest_test

import (
	"fmt"
	"testing"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/entity/schematest"
)

type order struct {
	_    entity.Key `type:"order" pk:"CUSTOMER#<customer>" sk:"ORDER#<id>"`
	Of   string     `dynamodbav:"customer"`
	ID   string     `dynamodbav:"id"`
	Note string     `dynamodbav:"note"`
}

// Schema is what an application declares beside its entity types.
var Schema = func() *entity.Schema {
	s := entity.NewSchema(entity.Config{})
	entity.Define[order](s)
	return s
}()

// A test of the application keeps the schema's chart and description beside it, here in testdata/schema. This is the description.
func ExampleCheck() {
	test := func(t *testing.T) { schematest.Check(t, Schema, "testdata/schema") }
	_ = test // in a file of its own: func TestSchema

	fmt.Print(Schema.Text())
	// Output:
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

func TestSchema(t *testing.T) {
	t.Parallel()
	schematest.Check(t, Schema, "testdata/schema")
}
