// Package partiql implements ExecuteStatement, BatchExecuteStatement and ExecuteTransaction: the
// statements of PartiQL.
//
// [Parse] parses a statement. A plan converts it to a read or a write like those of other
// operations, which the packages page, item and transact run. There is one evaluator of conditions
// and updates, that of package expression.
package partiql
