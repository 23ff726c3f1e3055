// Package transact is TransactWriteItems and TransactGetItems: up to a hundred actions that happen together, at one moment, or not at all.
//
// A transaction has the database for itself while it runs, so transactions are serializable among themselves and with all else, and none ever
// conflicts with another unless a rule says so. What is wrong with a request as such refuses it; what an action meets in its table cancels the
// transaction, with a reason for each action.
package transact
