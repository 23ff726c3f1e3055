// Package stream is the operations on streams: which there are, their shards, and their records.
//
// A shard takes records for four hours; then a child of it takes over, and it is read to its end. A record can be read for 24 hours, and so long
// lasts a stream that was turned off, or whose table was deleted. All of this goes by the database's clock.
package stream
