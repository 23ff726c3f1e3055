// Package read plans every read of more than one item. A plan contains the partitions of the table
// or of an index, the range of sort keys, and the filter. A query plan matches only items that were
// asked for, and never becomes a Scan. The package does no I/O.
package read
