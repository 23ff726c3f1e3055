// Package write plans every write of the library: it stamps the type, the version and the times, renders the keys of the table and of
// every index, guards what it was told or has read, and yields an operation that the executor sends. It is pure: no client, no clock.
//
// Its one duty is that after any write that it planned, each index attribute of the item equals what a fresh rendering of the item's
// fields gives, or is absent where one of them is absent.
package write
