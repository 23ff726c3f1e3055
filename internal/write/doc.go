// Package write plans every write of the library. It sets the type, the version and the times, and
// renders the keys of the table and of every index. It adds conditions on the values that the plan
// relies on, and returns an operation for the executor. It uses no client and no clock.
//
// After each planned write, every index attribute of the item equals a new rendering of the item's
// fields. It is absent if one of these fields is absent.
package write
