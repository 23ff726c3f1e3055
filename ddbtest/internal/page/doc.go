// Package page is Query and Scan: one page read from the table or an index, and the key from which the next one goes on.
//
// A page is a range of places in a tree. Where it goes on is sought by the bytes of a key, so an item that is gone by then loses nothing.
package page
