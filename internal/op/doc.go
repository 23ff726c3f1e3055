// Package op is the language in which the rooms hand work to the executor: an operation on items as a plain value, its reply, and its
// outcome. It compiles to the SDK's inputs and does no I/O, so what a call will send can be read without a client.
package op
