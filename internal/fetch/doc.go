// Package fetch reads items in pages and passes them to a sink.
//
// A stream is one partition of a query or one segment of a scan: its position, its next page. A run
// reads the streams of a plan until the caller stops or a bound is reached. An order decides which
// pages it reads next and where another run can continue: one stream after the other, in any order,
// or merged by sort key. The run passes the rows. A batch read has its own loop, because its
// requests have keys instead of positions.
package fetch
