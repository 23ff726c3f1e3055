package op

import (
	"context"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// Item is an item of the SDK.
type Item = map[string]types.AttributeValue

// Verb is the kind of an action.
type Verb uint8

// The actions on one item.
const (
	Get Verb = iota
	Put
	Update
	Delete
	Check
)

// Return selects the attributes that a write returns.
type Return = trestle.Return

// Nothing is the Return of a write that returns nothing.
const Nothing Return = 0

// ReturnsOld reports whether a write returns attributes from before it. A retry would return those
// that the first attempt wrote.
func ReturnsOld(r Return) bool { return r == trestle.AllOld || r == trestle.UpdatedOld }

// Action is what an operation does to one item.
type Action struct {
	Verb   Verb
	Plan   *core.Plan
	Table  string // empty: the table of the executor
	Member int    // the index of the member of the operation that it belongs to

	Key        Item     // all verbs except Put
	Elsewhere  []Item   // Get: further keys under which the item may be, if it has not the first one
	Item       *Content // Put
	Clauses    []clause.Clause
	Changes    *expr.Update      // Update
	Projection string            // Get; empty: the whole item
	Names      map[string]string // Get: the names of the projection
	Strong     bool              // Get: strongly consistent
	Return     Return

	// Idempotent reports whether applying the action twice in a row has the same result as applying
	// it once.
	Idempotent bool
	// WriteID is the attribute that the action sets to an ID of its own, if its condition holds at
	// most once. If an item has the ID, the action was applied. The zero value is none.
	WriteID Expected
	Expiry  core.Expiry // an expired item counts as none; zero: it exists
	Guard   *Guard      // nil: the action is not on the guard of a unique value
	// Count makes the action a part of a change of a counting item. It is not sent as it is: the
	// changes of one item are combined. Nil: it is an ordinary action.
	Count  *Count
	Entity codec.Ptr // Put of a counting item: the entity that Item encodes
	Label  string    // what the item is, in explanations; empty: the entity's item, or what the fields above tell
	// Counts names the counts that the action changes, if it changes nothing else.
	Counts string
	// MovesCounts marks the deletion of a counting item that is moved to another key.
	MovesCounts bool

	expressions Expressions // of Clauses and Changes
	rendered    bool
	problem     error // why the expressions cannot be sent
}

// Expected is an attribute and its value; nil for absent.
type Expected struct {
	Attribute string
	Value     types.AttributeValue
}

// Count is a change of the count in a counting item.
type Count struct {
	Counted *core.Counted
	Delta   int64
}

// Guard is what an action does to the guard of a unique value.
type Guard struct {
	Unique string // the name of the unique value
	Claims bool   // it stores the guard; otherwise, it deletes it
	Owner  types.AttributeValue
}

// Unique returns the name of the unique value that the action claims, or "".
func (a *Action) Unique() string {
	if a.Guard == nil || !a.Guard.Claims {
		return ""
	}
	return a.Guard.Unique
}

// KeyRow returns a row that has at least the table's key of the action's item.
func (a *Action) KeyRow() core.Row {
	if a.Key != nil {
		return core.NewRow(a.Key)
	}
	return a.Item.KeyRow()
}

// Retryable reports whether the action may be sent again after an attempt without a response.
func (a *Action) Retryable() bool { return a.Idempotent || a.WriteID.Value != nil }

// AppliedTo reports whether the action was applied, although its condition fails for an item: the
// item has the action's write ID, or it does not exist and the action deletes it in any case.
func (a *Action) AppliedTo(item Item) bool {
	if a.Verb == Delete && a.Idempotent && a.conditional() && item == nil {
		return true
	}
	return a.WriteID.Value != nil && reflect.DeepEqual(item[a.WriteID.Attribute], a.WriteID.Value)
}

// Operation is what a method of the library executes: actions on items, and reads that must precede
// planning. One action is a request of its own. Several actions, a condition check, and actions
// with a token are a transaction: they succeed or fail together.
type Operation struct {
	Name    string     // the caller's method: "create", "update"
	Plan    *core.Plan // of the entity; nil if there are several
	Access  string     // the access pattern's name, for reads through an index
	Members []Member   // of a transaction of several operations; nil for one operation
	Actions []Action   // nil if PreRead plans them
	Token   string     // the caller's idempotency token of the transaction; empty for a new one
	Fresh   bool       // no earlier call has sent the token, or its sender judges that itself
	PreRead *PreRead
	After   *Action // a read of the item, for a transaction that should return it
}

// Member is one operation of a transaction of several operations.
type Member struct {
	Name  string // the caller's method
	Plan  *core.Plan
	Table string
	Key   Item // nil: it is not known before the plan
	// Subject is the key of another item that it depends on. Nil: none.
	Subject Item
}

// MemberErrors are the errors of some members, for which the actions of a transaction cannot be
// planned.
type MemberErrors []MemberError

// MemberError is the error of a member.
type MemberError struct {
	Member int
	Err    error
}

// Error returns a text without any value of an item.
func (m MemberErrors) Error() string { return "some operations of the transaction cannot be planned" }

// Unwrap returns the errors.
func (m MemberErrors) Unwrap() []error {
	list := make([]error, len(m))
	for i := range m {
		list[i] = m[i].Err
	}
	return list
}

// PreRead is strongly consistent reads that an operation is planned from. The actions that Plan
// returns are conditional on the items read. If another writer changed an item, they are planned
// again from the item that the failed conditional check returns.
type PreRead struct {
	Reads []Action
	// Found are the items of Reads, if the caller has read them already. Nil: they are read.
	Found []Item
	// Slots is the number of further items that the plan depends on, but that are not read. They
	// are nil until a failed conditional check returns them; an empty item is no item.
	Slots int
	// Plan plans the actions. It receives the items by index of Reads, nil for no item, and then
	// the slots. It may receive fewer slots.
	Plan func(stored []Item) ([]Action, error)
	// Again is called with the same items before they are planned again. It may read and write
	// other items. Nil: nothing is to be done.
	Again func(ctx context.Context, stored []Item) error
	// Known are the keys of items that are written whatever is read, as far as Plan does not return
	// them for missing items: the new item of a move, and the guards of new unique values.
	Known []Item
}

// Reply is the result of an operation.
type Reply struct {
	Rows      core.Rows // the items read, or the attributes that a write returned, by action
	Capacity  trestle.Capacity
	Attempts  int
	Throttled []string // DynamoDB's reasons for throttling an attempt, each once
}

// TableOr returns the table of the action, or the given one if the action names none.
func (a *Action) TableOr(table string) string {
	if a.Table != "" {
		return a.Table
	}
	return table
}
