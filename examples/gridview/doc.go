// Command gridview stores the issues of projects in one DynamoDB table. Each project defines fields
// of its own. The program shows the issues as a grid, page by page, sorted by any column.
//
// The partition key of an item is an entity, and its sort key is what the entity is related to. An
// index swaps the two: its partition key is the table's sort key. It sorts the entities by a string
// that ends in the number, so that equal values have an order.
//
//	PROJECT#35e9  TENANT#0807   Forth Rail Bridge
//	PROJECT#35e9  XFIELD#3812
//	ISSUE#020e    PROJECT#35e9  000001
//	ISSUE#020e    XDATE#3812    2023-05-01#000001
//
// model.go, values.go, store.go and grid.go are the code of a service. The other files print a
// tour.
package main
