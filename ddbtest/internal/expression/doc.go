// Package expression understands the service's expressions exactly as the service does, and refuses what it refuses in its words.
//
// One lexer and one parser read all of them:
//
//   - [ParseCondition]: a condition or a filter, which [Condition.Eval] decides for an item
//   - [ParseKeyCondition]: the condition of a query, which becomes a list of comparisons
//   - [ParseProjection]: what to return of an item, which [Projection.Apply] takes out of it
//   - [ParseUpdate]: an update, which [Update.Apply] applies to an item
//
// A text goes through the service's own steps, so that of two faults the same one is reported: it is read as a whole (the parser), its words are
// judged (the vocabulary), placeholders are replaced and operands held to their rules (the binder), and what is too much is counted.
//
// A function is an entry of the table in functions.go, and nothing else. What is parsed never changes afterwards and may be shared by goroutines;
// [Placeholders], which note their use, may not.
//
// A text has at most 4,096 bytes, and no recursion goes deeper than that: nothing here can overflow the stack.
package expression
