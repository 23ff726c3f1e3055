// Package store holds the tables: items in key order, index entries that always agree with their
// items, and copies of all of it that cost the same at any size.
//
// [DB] is the lock, and [State] is what it guards. Each operation runs inside [DB.View] or
// [DB.Update], which makes operations serializable. A copy shares its trees with the original, so
// [State.Clone] is cheap. A stale read reads an older copy.
package store
