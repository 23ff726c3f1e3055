// Package page implements Query and Scan. It reads one page of a table or an index, and returns the
// LastEvaluatedKey.
//
// A page is a range of keys in a tree. The next page starts after the bytes of the start key, so
// nothing is lost if that item has been deleted.
package page
