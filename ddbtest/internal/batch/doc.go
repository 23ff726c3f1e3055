// Package batch is BatchGetItem and BatchWriteItem: many reads or writes in one request, each of which happens for itself.
//
// A request is checked as a whole before anything happens: what is wrong with one part refuses all. Then other operations may come between any two
// parts. Parts that are left undone are returned in the request's own form.
package batch
