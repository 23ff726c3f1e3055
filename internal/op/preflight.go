package op

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
)

// CheckTransaction reports what DynamoDB would reject of a transaction: too many actions, too many
// bytes, or two actions on one item. members is the number of operations of the caller. table is
// that of actions that name none.
func CheckTransaction(actions []Action, members int, table string) error {
	var wrong errs.Problems
	size := totalSize(actions, (*Content).MaxSize)
	if size > trestle.MaxTransactionSize || len(actions) > trestle.MaxTransactionActions {
		size = totalSize(actions, (*Content).Size)
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
		case a.Unique() != "":
			wrong.Add(Place(a.Member), "it writes the same value of "+a.Unique()+" as "+Place(member)+", and the value is unique", "write it once")
		default:
			wrong.Add(Place(a.Member), "it is on the same item as "+Place(member), "combine the two operations, or use two transactions")
		}
	}
	return wrong.Err()
}

// TransactionLimit returns an exceeded limit as a ValidationError.
func TransactionLimit(err *trestle.TransactionLimitError) error {
	return &errs.ValidationError{Kind: errs.Limit, Problems: []errs.Problem{{Reason: err.Error(), Limit: true, Cause: err}}}
}

// Place names an operation of a transaction in errors.
func Place(member int) string { return fmt.Sprintf("operations[%d]", member) }

// Identity returns a text that two actions share exactly if they are on the same item.
func (a *Action) Identity(table string) string {
	table = a.TableOr(table)
	return strconv.Itoa(len(table)) + ":" + table + a.Plan.Schema.Identity(a.KeyRow())
}

// totalSize returns the size of actions in a transaction. content returns that of an item.
func totalSize(actions []Action, content func(*Content) int) (size int) {
	for i := range actions {
		size += content(actions[i].Item) + actions[i].sizeWithoutItem()
	}
	return size
}

// sizeWithoutItem returns the size of an action in a transaction without the item of a put: its
// key, its expressions, and each use of a name or value in them. DynamoDB Local counts a value that
// is used twice twice.
func (a *Action) sizeWithoutItem() int {
	e := a.Expressions()
	size := len(e.Update) + len(e.Condition)
	if a.Verb != Put {
		size += codec.ItemSize(a.Key)
	}
	for mark := range placeholders(e.Update) {
		size += e.sizeOf(mark)
	}
	for mark := range placeholders(e.Condition) {
		size += e.sizeOf(mark)
	}
	return size
}

// sizeOf returns the size of the name or value of a placeholder.
func (e *Expressions) sizeOf(mark string) int {
	if name, ok := e.Names[mark]; ok {
		return len(name)
	}
	if v, ok := e.Values[mark]; ok {
		return codec.ValueSize(v)
	}
	return 0
}

// placeholders returns the placeholders of an expression, each as often as it is used.
func placeholders(expression string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for start := strings.IndexAny(expression, "#:"); start >= 0; start = strings.IndexAny(expression, "#:") {
			expression = expression[start:]
			end := 1 + strings.IndexFunc(expression[1:], func(r rune) bool { return !isWord(r) })
			if end == 0 {
				end = len(expression)
			}
			if !yield(expression[:end]) {
				return
			}
			expression = expression[end:]
		}
	}
}

// isWord reports whether a placeholder can contain the character after its first one.
func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}
