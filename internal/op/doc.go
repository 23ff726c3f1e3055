// Package op defines the operations that other packages pass to the executor: an operation on items
// as a plain value, its reply, and its outcome. It compiles operations to the inputs of the SDK and
// does no I/O, so requests can be inspected without a client.
package op
