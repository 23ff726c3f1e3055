package schema_test

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/schema"
)

// Parcel is stored by the earlier program.
type Parcel struct {
	_    entity.Key   `type:"parcel" pk:"PARCEL#<id>" sk:"PARCEL"`
	_    entity.Index `name:"by-city" on:"GSI1" pk:"CITY#<city>" sk:"SENT#<sent:day>"`
	ID   string       `dynamodbav:"id"`
	City string       `dynamodbav:"city"`
	Sent time.Time    `dynamodbav:"sent"`
}

// NewParcel is stored by the new program: the index sorts the parcels of a day by the second.
type NewParcel struct {
	_    entity.Key   `type:"parcel" pk:"PARCEL#<id>" sk:"PARCEL"`
	_    entity.Index `name:"by-city" on:"GSI1" pk:"CITY#<city>" sk:"SENT#<sent:s>"`
	ID   string       `dynamodbav:"id"`
	City string       `dynamodbav:"city"`
	Sent time.Time    `dynamodbav:"sent"`
}

// The example compares a schema with the text of an earlier one, and reports which stored items
// must change. Package schematest keeps that text.
func ExampleCompare() {
	config := entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}}
	earlier, current := entity.NewSchema(config), entity.NewSchema(config)
	entity.Define[Parcel](earlier)
	entity.Define[NewParcel](current)

	for _, change := range schema.Compare(current, schema.Text(earlier)) {
		fmt.Println(change)
	}
	// Output:
	// key GSI1SK of parcel changed from SENT#<sent:day> to SENT#<sent:s>: start Reindex of parcel, to update its index entries; until it ends, queries of this schema miss stored items without an error, and those of the earlier schema miss updated ones
}

// Chart returns the entity chart and the access patterns of a schema, in Markdown.
func ExampleChart() {
	parcels := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	entity.Define[Parcel](parcels)
	fmt.Print(schema.Chart(parcels))
	// Output:
	// ## Entities
	//
	// | entity | PK            | SK       | GSI1PK        | GSI1SK            |
	// | ------ | ------------- | -------- | ------------- | ----------------- |
	// | parcel | `PARCEL#<id>` | `PARCEL` | `CITY#<city>` | `SENT#<sent:day>` |
	//
	// ## Keys
	//
	// | index | partition key | sort key | attributes |
	// | ----- | ------------- | -------- | ---------- |
	// | table | PK            | SK       | all        |
	// | GSI1  | GSI1PK        | GSI1SK   | all        |
	//
	// ## Access patterns
	//
	// | pattern              | index | key condition                                                                 | filter | items                          |
	// | -------------------- | ----- | ----------------------------------------------------------------------------- | ------ | ------------------------------ |
	// | get parcel           | table | `PK = PARCEL#<id> AND SK = PARCEL`                                            |        |                                |
	// | query parcel by-city | GSI1  | `GSI1PK = CITY#<city> AND GSI1SK BETWEEN SENT#0000-01-01 AND SENT#9999-12-31` |        | not with an empty city or sent |
}
