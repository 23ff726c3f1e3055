// Command devicelog keeps the states that devices report, and answers what the people who watch over them ask: which warnings of a device,
// what happened on somebody's shift, what waits for whom.
//
// model.go is the report and its keys, store.go what a service would write around it. The rest only talks.
package main
