package main

import (
	"time"

	"github.com/trestledb/trestle/entity"
)

// Report is the report of a month.
type Report struct {
	_     entity.Key `type:"report" pk:"REPORT#<month>" sk:"REPORT"`
	Month string     `dynamodbav:"month"`
	By    string     `dynamodbav:"by"` // the worker
	Text  string     `dynamodbav:"text"`
}

// newSchema returns the schema of a worker, with its clock. The attribute expires lets DynamoDB
// delete the items of locks that nobody has used for a month.
func newSchema(clock func() time.Time) (*entity.Schema, *entity.Type[Report]) {
	s := entity.NewSchema(entity.Config{TTL: "expires", Clock: clock})
	return s, entity.Define[Report](s)
}
