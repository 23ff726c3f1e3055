// Package fetch reads items in pages and passes them to a sink.
//
// A stream is one partition of a query or one segment of a scan: its position, its next page. A run
// reads the streams of a plan, one after the other, in any order, or merged by sort key, until the
// caller stops or a bound is reached. It can report its positions at any time. A batch read has its
// own loop, because its requests have keys instead of positions.
package fetch
