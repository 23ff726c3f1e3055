package op

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

// Item is an item as the SDK speaks of it.
type Item = map[string]types.AttributeValue

// Verb is what an action does to its item.
type Verb uint8

// The verbs on one item.
const (
	Get Verb = iota
	Put
	Update
	Delete
	Check
)

// Return says which attributes a write gives back.
type Return uint8

// What a write can give back. The service offers new and updated attributes for updates only.
const (
	Nothing Return = iota
	AllOld
	AllNew
	UpdatedOld
	UpdatedNew
)

// Old reports whether what the item was before is asked for: a repetition would give back what the first attempt made of it.
func (r Return) Old() bool { return r == AllOld || r == UpdatedOld }

// Action is one request on one item.
type Action struct {
	Verb Verb
	Plan *core.Plan

	Key        Item   // all but Put
	Item       Item   // Put
	Condition  string // expressions: placeholders only
	Update     string
	Projection string
	Names      map[string]string
	Values     Item
	Strong     bool // Get: strongly consistent
	Return     Return

	// Idempotent says that applying the action twice, with nothing in between, is applying it once: it may be sent again although an
	// earlier attempt's reply was lost.
	Idempotent bool
	Why        Why
}

// Operation is what a verb of the library asks for: one primary action, companions that succeed or fail with it, and what must be
// read before it can be planned.
type Operation struct {
	Name       string // the verb as the caller wrote it: "create", "update"
	Plan       *core.Plan
	Access     string // the access pattern's name, for reads through an index
	Primary    Action
	Companions []Action
	PreRead    *PreRead
}

// PreRead is a strongly consistent read that an operation is planned from. The action that Plan makes is conditional on what was read;
// when another writer came between, it is planned again from the item that the failed condition met.
type PreRead struct {
	Read Action
	Plan func(met Item) (Action, error) // met is nil where there is no item
}

// Reply is what came of an operation.
type Reply struct {
	Item      Item // the item read, or the attributes given back; nil for none
	Met       Item // the item that a failed condition met
	Capacity  Capacity
	RequestID string
	Attempts  int
}

// Capacity is what an operation consumed, in capacity units.
type Capacity struct {
	Read, Write float64
}

// Add sums capacities up.
func (c *Capacity) Add(o Capacity) { c.Read += o.Read; c.Write += o.Write }
