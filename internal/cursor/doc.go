// Package cursor converts the position of a read to an opaque token and back. A sealed token is
// encrypted, so that nobody can read or forge it. Plain tokens must be requested explicitly.
//
// A token is bound to the read that it was made for. Opening it requires the same [Binding];
// otherwise the error is [fail.Cursor]. The error never contains the reason.
package cursor
