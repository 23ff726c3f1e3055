// Package storage keeps the content of a database in a storage outside of the memory, such as a
// file.
//
// A [Keeper] writes what changed since the last time, as entries of a key and a value. It compares
// two snapshots, which share what did not change, so no operation must tell it what it changed.
// Each of its steps is one consistent state: a storage never has a part of a transaction. [Open]
// makes a state from the entries in ascending order, so a table comes before its items. Entries
// that no database can have made are an error.
//
// The entries have these keys, with a zero byte after each part but the last one. Values are JSON,
// and items in them are DynamoDB JSON.
//
//	0                  the last sequence number, the time of the last change, and the clock
//	1 table            the definition of a table
//	2 table place      an item
//	3 stream           a stream: its settings and shards, without the records
//	4 stream sequence  a record of a stream
//	5 token            the token of a transaction
package storage
