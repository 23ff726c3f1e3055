// Package repo has the operations of repositories without type parameters: the verbs on one item,
// batch reads and projections. Package entity wraps them in generic types.
package repo
