// Package trestle is the root of Trestle, a library for single-table DynamoDB with keys that cannot
// collide, indexes that cannot go stale, and writes that report whether they were applied.
//
// The package has what all other packages share: the errors of operations ([ErrNotFound],
// [ErrStale], [OpError], …), whether a write was applied ([OutcomeOf]), observers of operations
// ([Observer], [SlogObserver]), explanations of operations with their estimated costs
// ([Explanation]), the configuration of a table ([Config]) and the mistakes in definitions
// ([DefinitionError]), and the interface of the DynamoDB client ([Client]).
//
// The other packages are:
//
//   - [github.com/trestledb/trestle/entity]: items as structs, schemas, repositories
//   - [github.com/trestledb/trestle/attr]: typed attributes, conditions and changes
//   - [github.com/trestledb/trestle/query]: queries, pages, item collections, scans
//   - [github.com/trestledb/trestle/keys]: the key format
//   - [github.com/trestledb/trestle/ddbtest]: an in-process DynamoDB for tests
//   - [github.com/trestledb/trestle/entity/schematest]: tests of schema changes
//   - [github.com/trestledb/trestle/entity/costtest]: tests of request costs
//
// The README shows all of them. The directory examples has complete programs.
package trestle
