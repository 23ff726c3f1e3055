package oteltrestle

import (
	"encoding/json"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/trestledb/trestle"
)

// Attribute keys for which the semantic conventions have no name.
const (
	entityKey      = attribute.Key("trestle.entity")
	accessKey      = attribute.Key("trestle.access_pattern")
	requestsKey    = attribute.Key("trestle.requests")
	attemptsKey    = attribute.Key("trestle.attempts")
	unprocessedKey = attribute.Key("trestle.unprocessed_keys")
	misplacedKey   = attribute.Key("trestle.misplaced_items")
	ignoredTTLKey  = attribute.Key("trestle.ignored_ttl_items")
	throttlingKey  = attribute.Key("trestle.throttling_reasons")
	reasonKey      = attribute.Key("trestle.throttling_reason")
	outcomeKey     = attribute.Key("trestle.outcome")
)

// summary returns the name of a span and of similar operations, such as "query employee by-hire",
// "scan app" or "get many".
func summary(op trestle.OperationInfo) string {
	s := op.Operation
	target := op.Entity
	if target == "" {
		target = op.Table
	}
	for _, part := range []string{target, op.Access} {
		if part != "" {
			s += " " + part
		}
	}
	return s
}

// class returns the attributes that both spans and metrics have.
func class(op trestle.OperationInfo) []attribute.KeyValue {
	list := []attribute.KeyValue{
		semconv.DBSystemNameAWSDynamoDB, semconv.DBOperationName(op.Operation), semconv.DBQuerySummary(summary(op)),
	}
	if op.Table != "" {
		list = append(list, semconv.DBCollectionName(op.Table))
	}
	return list
}

// known returns the attributes with which a span starts. Samplers see them.
func known(op trestle.OperationInfo) []attribute.KeyValue {
	list := class(op)
	if op.Table != "" {
		list = append(list, semconv.AWSDynamoDBTableNames(op.Table))
	}
	if op.Index != "" {
		list = append(list, semconv.AWSDynamoDBIndexName(op.Index))
	}
	if op.Entity != "" {
		list = append(list, entityKey.String(op.Entity))
	}
	if op.Access != "" {
		list = append(list, accessKey.String(op.Access))
	}
	return list
}

// found returns the attributes that are set when a span ends, without those of a failure.
func found(e trestle.Event) []attribute.KeyValue {
	list := []attribute.KeyValue{requestsKey.Int(e.Requests), attemptsKey.Int(e.Attempts)}
	if e.Outcome == trestle.NoWrite {
		list = append(list, semconv.DBResponseReturnedRows(e.Items))
	} else {
		list = append(list, outcomeKey.String(e.Outcome.String()))
	}
	if e.Scanned > 0 {
		list = append(list, semconv.AWSDynamoDBScannedCount(e.Scanned))
	}
	if e.Unprocessed > 0 {
		list = append(list, unprocessedKey.Int(e.Unprocessed))
	}
	if e.Misplaced > 0 {
		list = append(list, misplacedKey.Int(e.Misplaced))
	}
	if e.IgnoredTTL > 0 {
		list = append(list, ignoredTTLKey.Int(e.IgnoredTTL))
	}
	if len(e.Throttled) > 0 {
		list = append(list, throttlingKey.StringSlice(e.Throttled))
	}
	if e.Capacity != (trestle.Capacity{}) {
		list = append(list, semconv.AWSDynamoDBConsumedCapacity(consumed(e)))
	}
	return list
}

// consumed returns the capacity of the operation as JSON, in the format of ConsumedCapacity in a
// response. The semantic conventions require this format.
func consumed(e trestle.Event) string {
	text, _ := json.Marshal(struct { // cannot fail: a string and numbers
		TableName          string  `json:",omitempty"`
		CapacityUnits      float64 `json:",omitempty"`
		ReadCapacityUnits  float64 `json:",omitempty"`
		WriteCapacityUnits float64 `json:",omitempty"`
	}{e.Table, e.Capacity.Read + e.Capacity.Write, e.Capacity.Read, e.Capacity.Write})
	return string(text)
}
