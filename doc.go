// Package trestle has the types that all packages of Trestle share. Trestle is a library for
// single-table DynamoDB. It escapes the values in keys, so keys cannot collide. A write also sets
// the keys of all indexes of the item, and reports whether it was applied, or that this is unknown.
//
// The shared types are the errors of operations ([ErrNotFound], [ErrStale], [OpError], …), the
// outcome of a write ([OutcomeOf]), observers of operations ([Observer], [SlogObserver]),
// explanations of operations with estimated costs ([Explanation]), the configuration of a table
// ([Config]), the mistakes in the declarations of a schema ([DefinitionError]), and the interface
// of the DynamoDB client ([Client]).
//
// The other packages are:
//
//   - [github.com/trestledb/trestle/entity]: items as structs, schemas, repositories
//   - [github.com/trestledb/trestle/attr]: typed attributes, conditions and changes
//   - [github.com/trestledb/trestle/query]: queries, pages, item collections, scans
//   - [github.com/trestledb/trestle/tx]: transactions
//   - [github.com/trestledb/trestle/shard]: exact counters over many shards, also with a limit
//   - [github.com/trestledb/trestle/document]: documents that are split over several items
//   - [github.com/trestledb/trestle/generations]: replaces more items than a transaction can
//   - [github.com/trestledb/trestle/lock]: locks with leases, in the table of the service
//   - [github.com/trestledb/trestle/keys]: the key format
//   - [github.com/trestledb/trestle/ddbtest]: an in-process DynamoDB for tests
//   - [github.com/trestledb/trestle/ddbtest/explore]: a model checker for code on the SDK
//   - [github.com/trestledb/trestle/schema]: the chart of a schema, and the effect of its changes
//   - [github.com/trestledb/trestle/schema/schematest]: tests of schema changes
//
// The module [github.com/trestledb/trestle/oteltrestle] makes OpenTelemetry spans and metrics. The
// command [github.com/trestledb/trestle/cmd/ddbtest] serves ddbtest to other languages. The README
// is an introduction, the directory docs has a page for each subject, and the directory examples
// has complete programs.
package trestle
