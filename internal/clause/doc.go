// Package clause holds the parts of the condition of a write, each with the meaning of its failure.
// A part is a predicate, which is rendered for a request, and evaluated on the item that DynamoDB
// returns if the condition is false.
package clause
