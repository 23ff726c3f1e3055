// Package registry records the partitions that hold items of a tenant, so that the removal of the
// tenant finds them.
//
// An entry is an item of the library. It names a partition, and has the time from which on programs
// may rely on it. A program puts the entry before it writes to the partition, and again after an
// hour. So each item of a tenant is in a partition that has an entry, or in one that follows from
// the tenant and the schema alone. The guards of unique values have no entries: their items lead to
// them.
package registry
