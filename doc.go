// Package trestle is the front page of Trestle, a library for single-table DynamoDB whose keys cannot collide, whose indexes cannot go
// stale, and whose writes say what became of them.
//
// It has no code. Start with:
//
//   - [github.com/trestledb/trestle/entity]: structs as items, schemas, repositories and their verbs, errors
//   - [github.com/trestledb/trestle/attr]: typed handles of attributes, conditions and changes
//   - [github.com/trestledb/trestle/query]: queries, pages, item collections, scans
//   - [github.com/trestledb/trestle/keys]: the key format by itself
//   - [github.com/trestledb/trestle/ddbtest]: a DynamoDB inside the process, for tests
//   - [github.com/trestledb/trestle/entity/schematest], [github.com/trestledb/trestle/entity/costtest]: tests of a schema, and of what requests cost
//
// The README shows all of them at work; below examples there are whole programs.
package trestle
