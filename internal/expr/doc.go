// Package expr compiles condition trees and change lists to DynamoDB's expressions: every name and every value goes through a
// placeholder, operands are encoded as the fields that they meet store them, and what the service would refuse, or what could never be
// true, is refused before it is sent. The same tree compiles to the same text. It is pure, and knows no type parameters.
package expr
