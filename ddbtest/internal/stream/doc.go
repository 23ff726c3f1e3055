// Package stream implements the operations on streams: it lists and describes them, and reads their
// records.
//
// A shard takes records for four hours. Then a child shard replaces it, and the closed shard can be
// read to its end. Records can be read for 24 hours. So can a stream that was disabled, or whose
// table was deleted. All times are those of the database's clock.
package stream
