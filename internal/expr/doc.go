// Package expr compiles condition trees and change lists to DynamoDB expressions. Every name and
// value is a placeholder. Operands are encoded as the fields that they are compared with.
// Compilation returns an error for what DynamoDB would refuse and for a condition that could never
// be true. It is deterministic, does no I/O, and uses no type parameters for entities.
package expr
