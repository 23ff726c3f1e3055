// Package oteltrestle records a span and metrics for each Trestle operation with OpenTelemetry. It
// is a separate module, so that Trestle itself does not depend on OpenTelemetry.
//
//	var Schema = entity.NewSchema(entity.Config{
//		Observer: oteltrestle.NewObserver(oteltrestle.Config{}),
//	})
//
// An operation is one call as [trestle.Observer] defines it: a write, a query, a batch read and so
// on. The spans of the SDK or of an HTTP client are children of its span. A range over a read has
// one span, which ends with the loop.
//
// # Spans
//
// The span kind is client. The span name is the operation, the entity and the access pattern, such
// as "query employee by-hire". If there is no entity, the name has the table instead. The
// attributes follow the semantic conventions for databases and for DynamoDB, if the conventions
// define one:
//
//   - db.system.name (aws.dynamodb), db.operation.name, db.query.summary (the span's name),
//     db.collection.name and aws.dynamodb.table_names (the table), aws.dynamodb.index_name
//   - db.response.returned_rows, aws.dynamodb.scanned_count, aws.dynamodb.consumed_capacity
//   - trestle.entity, trestle.access_pattern, trestle.requests, trestle.attempts,
//     trestle.unprocessed_keys, trestle.misplaced_items, trestle.ignored_ttl_items,
//     trestle.throttling_reasons; for a write also trestle.outcome
//   - for a failure: error.type, db.response.status_code and aws.request_id
//
// A failed operation has the status Error and the text of the [trestle.OpError]. A read that finds
// no item is not a failure. error.type is the name of the error in package trestle, such as
// ErrStale. For other errors it is the error code of DynamoDB, context.Canceled,
// context.DeadlineExceeded or _OTHER. db.response.status_code is the error code of DynamoDB.
//
// # Metrics
//
//   - db.client.operation.duration, a histogram in seconds
//   - trestle.read_units and trestle.write_units, counters of the capacity units consumed
//   - trestle.throttled, a counter of throttled operations by trestle.throttling_reason
//
// The metrics have the attributes db.system.name, db.operation.name, db.query.summary and
// db.collection.name. The duration also has error.type and db.response.status_code.
//
// Spans and metrics contain no key and no value of an item.
package oteltrestle
