// Command gridview stores the issues of projects in one DynamoDB table. Each project defines fields
// of its own. The program shows the issues as a grid, page by page, sorted by any column.
//
// The partition key of an item names an entity, and its sort key names a related entity. The
// partition key of the index is the sort key of the table, so the index finds the relation from the
// other side. The sort key of the index ends with the number, which sorts equal values.
//
//	PROJECT#35e9  TENANT#0807   Forth Rail Bridge
//	PROJECT#35e9  XFIELD#3812
//	ISSUE#020e    PROJECT#35e9  000001
//	ISSUE#020e    XDATE#3812    2023-05-01#000001
//
// model.go, values.go, store.go and grid.go are the code of a service. The other files print a
// tour.
package main
