// Package batch implements BatchGetItem and BatchWriteItem. Both perform many reads or writes in
// one request, without a transaction.
//
// The whole request is validated first: one invalid part rejects all of it. Other operations may
// run between any two parts. Parts that are not processed are returned in the form in which the
// request has them.
package batch
