// Command gridview keeps the issues of projects in one DynamoDB table, with fields that every project defines for itself, and shows them as
// a grid that is sorted by any column, page by page.
//
// A row of the table is about an entity (its partition) and what it is related to (its sort key). An index turns that around: under what
// is related, the entities stand sorted by a text that ends in the number, so that equal values have an order.
//
//	PROJECT#35e9  TENANT#0807   Forth Rail Bridge
//	PROJECT#35e9  XFIELD#3812
//	ISSUE#020e    PROJECT#35e9  000001
//	ISSUE#020e    XDATE#3812    2023-05-01#000001
//
// model.go, values.go, store.go and grid.go are what a service would write; the rest only talks.
package main
