package expr

import (
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/keyspace"
)

// Op is the operator of a node in a condition tree.
type Op uint8

// The operators. And, Or and Not join other conditions. Eq to Ge compare a path, or the size of its
// value, with an operand or with another path. The others apply to one path.
const (
	And Op = iota + 1
	Or
	Not
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Between // both bounds are included
	During  // the second bound is excluded
	In      // the value is one of the operands
	Exists  // the attribute exists and is not NULL
	NotExists
	IsType
	BeginsWith
	ContainsText
	Contains // the operand is a Go slice of the field's type with one element

	// LastOp is the last operator. New ones are above it.
	LastOp Op = iota
)

// operator describes an operator. A new operator is a constant, an entry of the table below, and a
// function of package attr that makes its conditions.
type operator struct {
	name    string          // the name in package attr, for error texts
	is      clause.Operator // 0 for And, Or and Not
	operand operandKind
	accepts *acceptedTypes // nil for all types
	key     keyspace.Op    // the operator of keys that does the same; 0 if a key condition cannot do it
}

// operandKind is what the operands of an operator are.
type operandKind uint8

const (
	operandValue   operandKind = iota // values of the path, or none
	operandElement                    // an element of the path's list or set
	operandType                       // the type in Cond.Type
)

// acceptedTypes are the attribute types that an operator accepts.
type acceptedTypes struct {
	types  codec.Wire
	others string // why it does not accept others, for error texts
}

var (
	ordered     = &acceptedTypes{scalars, "has no order"}
	textual     = &acceptedTypes{codec.WireS | codec.WireB, "is neither text nor bytes"}
	collections = &acceptedTypes{sets | codec.WireL, "has no elements"}
	measurable  = &acceptedTypes{textual.types | collections.types | codec.WireM, "has no size"}
)

const (
	scalars = codec.WireS | codec.WireN | codec.WireB
	sets    = codec.WireSS | codec.WireNS | codec.WireBS
)

var operators = [...]operator{
	And:          {name: "And"},
	Or:           {name: "Or"},
	Not:          {name: "Not"},
	Eq:           {name: "Eq", is: clause.Eq, key: keyspace.Eq},
	Ne:           {name: "Ne", is: clause.Ne},
	Lt:           {name: "Lt", is: clause.Lt, accepts: ordered, key: keyspace.Lt},
	Le:           {name: "Le", is: clause.Le, accepts: ordered, key: keyspace.Le},
	Gt:           {name: "Gt", is: clause.Gt, accepts: ordered, key: keyspace.Gt},
	Ge:           {name: "Ge", is: clause.Ge, accepts: ordered, key: keyspace.Ge},
	Between:      {name: "Between", is: clause.Between, accepts: ordered, key: keyspace.Between},
	During:       {name: "During", is: clause.During, accepts: ordered, key: keyspace.During},
	In:           {name: "In", is: clause.In},
	Exists:       {name: "Exists", is: clause.Exists},
	NotExists:    {name: "NotExists", is: clause.NotExists},
	IsType:       {name: "IsType", is: clause.HasType, operand: operandType},
	BeginsWith:   {name: "BeginsWith", is: clause.BeginsWith, accepts: textual, key: keyspace.BeginsWith},
	ContainsText: {name: "ContainsText", is: clause.Contains, accepts: textual},
	Contains:     {name: "Contains", is: clause.Contains, accepts: collections, operand: operandElement},
}

// String returns the name of the operator in package attr.
func (o Op) String() string { return operators[o].name }

// ordered reports whether the operator compares by order.
func (o Op) ordered() bool { return operators[o].accepts == ordered }
