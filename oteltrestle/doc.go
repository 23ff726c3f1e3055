// Package oteltrestle records what Trestle does with OpenTelemetry: a span and metrics of every
// operation. It is a module of its own, so that Trestle itself does not depend on OpenTelemetry.
//
//	var Schema = entity.NewSchema(entity.Config{
//		Observer: oteltrestle.NewObserver(oteltrestle.Config{}),
//	})
//
// An operation is what [entity.Observer] says: one call of a verb, a query, a batch read and so on.
// Its requests run in the context of its span, so spans that the SDK or an HTTP client makes are
// children of it. A read that is ranged over has one span, which lasts as long as the loop.
//
// # Spans
//
// A span has the kind client. Its name is the operation, the entity and the access pattern, such as
// "query employee by-hire", or the operation and the table where there is no entity. Its attributes
// follow the semantic conventions for databases and for DynamoDB, where they have one:
//
//   - db.system.name (aws.dynamodb), db.operation.name, db.query.summary (the span's name),
//     db.collection.name and aws.dynamodb.table_names (the table), aws.dynamodb.index_name
//   - db.response.returned_rows, aws.dynamodb.scanned_count, aws.dynamodb.consumed_capacity
//   - trestle.entity, trestle.access_pattern, trestle.requests, trestle.attempts,
//     trestle.unprocessed_keys, trestle.throttling_reasons, and of a write trestle.outcome
//   - of a failure error.type, db.response.status_code and aws.request_id
//
// An operation that failed has the status Error, with the text of the [entity.OpError]. A read that
// found no item is not a failure. error.type is the name of the error in package entity, such as
// ErrStale; where there is none, it is the service's error code, context.Canceled,
// context.DeadlineExceeded, or _OTHER. db.response.status_code is the service's error code.
//
// # Metrics
//
//   - db.client.operation.duration, a histogram in seconds
//   - trestle.read_units and trestle.write_units, counters of the capacity units consumed
//   - trestle.throttled, a counter of the operations that were throttled, by
//     trestle.throttling_reason
//
// Their attributes are db.system.name, db.operation.name, db.query.summary and db.collection.name,
// and of a duration error.type and db.response.status_code.
//
// No span and no metric holds a key or a value of an item.
package oteltrestle
