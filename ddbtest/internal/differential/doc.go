// Package differential compares one engine with another. It has only tests. They run random tables
// and operations on both engines through the SDK, and report the first difference with a short
// sequence of operations that reproduces it.
//
// A history is generated from a seed before anything runs, so that all or a part of it can be run
// again. Its operations use few keys, names and values, so that they often collide. All accepted
// differences are in one table, with their explanations.
package differential
