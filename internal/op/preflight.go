package op

import (
	"fmt"
	"strconv"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// CheckTransaction reports what DynamoDB would reject of a transaction: too many actions, too many
// bytes, or two actions on one item. members is the number of operations of the caller. table is
// that of actions that name none.
func CheckTransaction(actions []Action, members int, table string) error {
	var wrong errs.Problems
	size := 0
	for i := range actions {
		size += actions[i].size()
	}
	if len(actions) > trestle.MaxTransactionActions || size > trestle.MaxTransactionSize {
		wrong.AddErr("", TransactionLimit(&trestle.TransactionLimitError{Operations: members, Actions: len(actions), Size: size}))
	}
	first := make(map[string]int, len(actions)) // the member of the first action on an item
	for i := range actions {
		a := &actions[i]
		id := a.Identity(table)
		member, again := first[id]
		switch {
		case !again:
			first[id] = a.Member
		case a.Check.Unique != "":
			wrong.Add(place(a.Member), "it writes the same value of "+a.Check.Unique+" as "+place(member)+", and the value is unique", "write it once")
		default:
			wrong.Add(place(a.Member), "it is on the same item as "+place(member), "combine the two operations, or use two transactions")
		}
	}
	return wrong.Err()
}

// TransactionLimit returns an exceeded limit as a ValidationError.
func TransactionLimit(err *trestle.TransactionLimitError) error {
	return &errs.ValidationError{Kind: errs.Limit, Problems: []errs.Problem{{Reason: err.Error(), Limit: true, Cause: err}}}
}

// place names an operation of a transaction.
func place(member int) string { return fmt.Sprintf("operations[%d]", member) }

// Identity returns a text that two actions share exactly if they are on the same item.
func (a *Action) Identity(table string) string {
	table = a.TableOr(table)
	row := core.NewRow(a.Key)
	if a.Verb == Put {
		row = core.NewRow(a.Item)
	}
	return strconv.Itoa(len(table)) + ":" + table + a.Plan.Schema.Identity(row)
}

// size returns the size of an action in a transaction: its item or key, its expressions, and their
// names and values.
func (a *Action) size() int {
	size := codec.ItemSize(a.Item) + len(a.Update) + len(a.Condition)
	if a.Verb != Put {
		size += codec.ItemSize(a.Key)
	}
	for _, name := range a.Names {
		size += len(name)
	}
	for _, v := range a.Values {
		size += codec.ValueSize(v)
	}
	return size
}
