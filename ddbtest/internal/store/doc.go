// Package store holds the tables: items in key order, index entries that always agree with their items, and copies of all of it that cost the
// same at any size.
//
// [DB] is the lock, [State] what it guards. Operations run whole inside [DB.View] or [DB.Update], which makes them serializable. The trees
// share what a copy and its origin have in common, so [State.Clone] is cheap, and a stale read is a read of an older copy.
package store
