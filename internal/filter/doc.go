// Package filter evaluates a filter expression on an item, as DynamoDB does. A query that fetches
// the items of an index needs it for conditions on attributes that the index does not project.
//
// It reads the expressions that package expr writes, in which every name and every value is a
// placeholder. It does not validate them: DynamoDB's limits and types are checked where the
// expression is written.
package filter
