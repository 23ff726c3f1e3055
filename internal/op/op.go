package op

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
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

// Action is one request on one item.
type Action struct {
	Verb  Verb
	Plan  *core.Plan
	Table string // empty: the table of the executor

	Key        Item   // all verbs except Put
	Item       Item   // Put
	Condition  string // expressions use placeholders only
	Update     string
	Projection string
	Names      map[string]string
	Values     Item
	Strong     bool // Get: strongly consistent
	Return     Return

	// Idempotent reports whether applying the action twice in a row has the same result as applying
	// it once. An idempotent action may be retried after an attempt without a response.
	Idempotent bool
	Check      ConditionCheck
}

// Operation is what a method of the library executes: a primary action, companions that succeed or
// fail with it, and a read that must precede planning.
type Operation struct {
	Name       string // the caller's method: "create", "update"
	Plan       *core.Plan
	Access     string // the access pattern's name, for reads through an index
	Primary    Action
	Companions []Action
	PreRead    *PreRead
}

// PreRead is a strongly consistent read that an operation is planned from. The action that Plan
// returns is conditional on the item read. If another writer changed the item, the action is
// planned again from the item that the failed conditional check returns.
type PreRead struct {
	Read Action
	Plan func(met Item) (Action, error) // met is nil if there is no item
}

// Reply is the result of an operation.
type Reply struct {
	Rows     core.Rows // the items read, or the attributes that a write returned
	Capacity trestle.Capacity
	Attempts int
}
