package expr

import (
	"strings"

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
	name    string // the name in package attr, for error texts
	text    string // the expression; see expand
	operand operandKind
	accepts *acceptedTypes // nil for all types
	key     keyspace.Op    // the operator of keys that does the same; 0 if a key condition cannot do it
	top     Op             // And if text joins two conditions
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
	And:          {name: "And", text: " AND "},
	Or:           {name: "Or", text: " OR "},
	Not:          {name: "Not", text: "NOT "},
	Eq:           {name: "Eq", text: "@ = ?", key: keyspace.Eq},
	Ne:           {name: "Ne", text: "@ <> ?"},
	Lt:           {name: "Lt", text: "@ < ?", accepts: ordered, key: keyspace.Lt},
	Le:           {name: "Le", text: "@ <= ?", accepts: ordered, key: keyspace.Le},
	Gt:           {name: "Gt", text: "@ > ?", accepts: ordered, key: keyspace.Gt},
	Ge:           {name: "Ge", text: "@ >= ?", accepts: ordered, key: keyspace.Ge},
	Between:      {name: "Between", text: "@ BETWEEN ? AND ?", accepts: ordered, key: keyspace.Between},
	During:       {name: "During", text: "@ >= ? AND @ < ?", accepts: ordered, key: keyspace.During, top: And},
	In:           {name: "In", text: "@ IN (*)"},
	Exists:       {name: "Exists", text: "attribute_exists(@)"},
	NotExists:    {name: "NotExists", text: "attribute_not_exists(@)"},
	IsType:       {name: "IsType", text: "attribute_type(@, ?)", operand: operandType},
	BeginsWith:   {name: "BeginsWith", text: "begins_with(@, ?)", accepts: textual, key: keyspace.BeginsWith},
	ContainsText: {name: "ContainsText", text: "contains(@, ?)", accepts: textual},
	Contains:     {name: "Contains", text: "contains(@, ?)", accepts: collections, operand: operandElement},
}

// String returns the name of the operator in package attr.
func (o Op) String() string { return operators[o].name }

// ordered reports whether the operator compares by order.
func (o Op) ordered() bool { return operators[o].accepts == ordered }

// expand returns an expression: @ stands for the path, each ? for the next operand, * for all
// operands.
func expand(text, path string, operands ...string) string {
	var out strings.Builder
	out.Grow(len(text) + 2*len(path) + 8*len(operands))
	for i := range len(text) {
		switch text[i] {
		case '@':
			out.WriteString(path)
		case '?':
			out.WriteString(operands[0])
			operands = operands[1:]
		case '*':
			out.WriteString(strings.Join(operands, ", "))
		default:
			out.WriteByte(text[i])
		}
	}
	return out.String()
}
