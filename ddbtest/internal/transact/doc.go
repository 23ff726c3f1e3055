// Package transact implements TransactWriteItems and TransactGetItems: up to a hundred actions that
// are applied together at one point in time, or not at all.
//
// A transaction has exclusive access to the database, so it is serializable with all other
// operations. Transactions never conflict unless a fault rule requires it. An invalid request is
// rejected. An action that fails on its table or item cancels the transaction, with a reason for
// each action.
package transact
