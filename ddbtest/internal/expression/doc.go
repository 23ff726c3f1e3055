// Package expression parses the service's expressions exactly as the service does, with the same
// error messages.
//
// One lexer and one parser read all of them:
//
//   - [ParseCondition]: a condition or a filter, which [Condition.Eval] evaluates for an item
//   - [ParseKeyCondition]: the key condition of a query, which becomes a list of comparisons
//   - [ParseProjection]: the attributes to return, which [Projection.Apply] extracts from an item
//   - [ParseUpdate]: an update, which [Update.Apply] applies to an item
//
// [NewCondition], [NewProjection] and [NewUpdate] make the same from values, without a text: for
// the parameters that expressions replaced.
//
// An expression is processed in the service's order, so that the same one of two errors is
// reported. The parser reads all of it. The name checker checks the names of functions and
// attributes. The binder replaces placeholders and checks operands. Finally, the limits are
// checked.
//
// A function is defined by its entry of the table in functions.go alone. Parsed expressions are
// immutable and safe for concurrent use. [Placeholders] are not, because they record which of them
// were used.
//
// An expression has at most 4,096 bytes, which bounds the recursion: no expression can overflow the
// stack.
package expression
