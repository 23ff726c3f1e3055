package trestle

import "fmt"

// The limits of DynamoDB for one transaction.
const (
	// MaxTransactionActions is the maximum number of actions.
	MaxTransactionActions = 100
	// MaxTransactionSize is the maximum size of all actions in bytes: items, keys, expressions, and
	// each use of a name or value in them.
	MaxTransactionSize = 4 << 20
)

// TransactionLimitError reports that a transaction exceeds a limit of DynamoDB. It was not sent.
// The library never splits a transaction, because its parts would not be applied together.
//
// The ways out: split it where each part leaves consistent items; replace many items at once with
// package [github.com/trestledb/trestle/generations]; or keep the parts in one item.
type TransactionLimitError struct {
	Operations int // the operations of the caller, or the items that it reads
	// Actions is the number of actions: one for each operation, and those that the library adds,
	// such as guards of unique values.
	Actions int
	// Size is the number of bytes; 0 for a transaction that reads, because the size of its items is
	// unknown.
	Size int
}

// Error tells which limit is exceeded, and the ways out.
func (e TransactionLimitError) Error() string {
	ways := "split it where each part leaves consistent items; " +
		"or write the parts as a new generation with package generations; or keep the parts in one item"
	if e.Size == 0 {
		ways = "read the items in several transactions, or with GetMany if they may be of different moments"
	}
	if e.Actions > MaxTransactionActions {
		text := fmt.Sprintf("the transaction has %d actions", e.Actions)
		if e.Actions > e.Operations {
			text += fmt.Sprintf(" (%d operations, and %d that the library adds)", e.Operations, e.Actions-e.Operations)
		}
		return fmt.Sprintf("%s, and %d are the most: %s", text, MaxTransactionActions, ways)
	}
	return fmt.Sprintf("the transaction has %d bytes, and 4 MB are the most: %s", e.Size, ways)
}
