// Package batch writes many items. Puts and deletes without conditions are sent together, in
// BatchWriteItem requests; any other write is a request of its own. Several requests run at the
// same time, but writes of one item are applied in the order of the input.
//
// Every argument that was taken from the input is either applied or reported. Only requests and
// pauses run in goroutines of their own. Everything else runs in the goroutine of the caller: the
// input, planning, stamps and the report of the progress.
package batch
