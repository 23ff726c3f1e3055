// Package cursor turns the position of a read into an opaque token and back: sealed, so that nobody can read or forge one, or plain where
// that was asked for by name.
//
// A token is bound to what it was made for: whoever opens it says the same [Binding] as whoever made it, or gets [fail.Cursor]. Nothing tells
// why a token was refused.
package cursor
