// Package coalesce joins the eventually consistent reads of single items that several goroutines
// make at the same time.
//
// Reads of the same item share a request that is in flight, unless a write of the item has ended
// since it was sent. Reads of different items that begin within a window are one batch read.
package coalesce
