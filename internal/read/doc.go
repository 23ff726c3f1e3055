// Package read plans every read of more than one item: which partitions of the table or an index, which range of sort keys, which filter.
// It is pure; what it plans is exact, bounded to the entity asked for, and never a Scan.
package read
