// Command ddbtest serves an in-process DynamoDB to programs in every language. It is for tests and
// development: it checks no signature. The databases are in memory, or with -data in files.
//
//	go run github.com/trestledb/trestle/cmd/ddbtest@latest -port 8000
//
// DynamoDB and DynamoDB Streams are on one port, with a database for each access key and Region.
// The control endpoint at /_ddbtest/v1/ adds faults, moves the clock, returns the cost of requests,
// and more. The pages at /_ddbtest/ show people in a browser what the databases contain.
// docs/ddbtest.md in the repository describes all of this, and `ddbtest -help` lists the options.
package main
