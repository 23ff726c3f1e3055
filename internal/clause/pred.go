package clause

import (
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

// Pred is a condition on one item.
type Pred interface {
	// Holds evaluates it, as DynamoDB does. The item is nil for none.
	Holds(item Item) bool
	// Render appends the expression to a text. It is an operand of AND.
	Render(to []byte, m Marks) []byte
}

// Marks makes the placeholders of a request.
type Marks interface {
	Name(attribute string) string
	Value(av types.AttributeValue) string
	Path(at *core.BoundPath) string
	Null() string // the placeholder of NULL
}

// call appends a function, such as attribute_exists(#n0).
func call(to []byte, function, operand string) []byte {
	return append(append(append(append(to, function...), '('), operand...), ')')
}

// AnItem holds if there is an item. It has the partition key, which every item has. It is evaluated
// by the item, because replies may omit the key.
type AnItem struct{ Key *core.Attribute }

// Holds implements [Pred].
func (AnItem) Holds(item Item) bool { return item != nil }

// Render implements [Pred].
func (a AnItem) Render(to []byte, m Marks) []byte {
	return call(to, "attribute_exists", m.Name(a.Key.Name))
}

// NoItem holds if there is no item. It has the partition key.
type NoItem struct{ Key *core.Attribute }

// Holds implements [Pred].
func (NoItem) Holds(item Item) bool { return item == nil }

// Render implements [Pred].
func (n NoItem) Render(to []byte, m Marks) []byte {
	return call(to, "attribute_not_exists", m.Name(n.Key.Name))
}

// State is a set of states of an attribute: absent if Absent is true, NULL if Null is true, or one
// of Values.
type State struct {
	Attribute    string
	Absent, Null bool
	Values       []types.AttributeValue

	buffer [1]types.AttributeValue // holds a short Values, to save an allocation
}

// Value returns the state of an attribute that has a value, or none if it is nil.
func Value(attribute string, av types.AttributeValue) *State {
	s := &State{Attribute: attribute, Absent: av == nil}
	if av != nil {
		s.Values = append(s.buffer[:0], av)
	}
	return s
}

// Holds implements [Pred].
func (s *State) Holds(item Item) bool {
	av := item[s.Attribute]
	switch av.(type) {
	case nil:
		return s.Absent
	case *types.AttributeValueMemberNULL:
		if s.Null {
			return true
		}
	}
	return slices.ContainsFunc(s.Values, func(v types.AttributeValue) bool { return core.SameValue(v, av) })
}

// Render implements [Pred].
func (s *State) Render(to []byte, m Marks) []byte {
	n, forms := m.Name(s.Attribute), len(s.Values)
	if s.Absent {
		forms++
	}
	if s.Null {
		forms++
	}
	or := 0 // forms that are written
	next := func() {
		switch {
		case forms == 1:
		case or == 0:
			to = append(to, '(')
		default:
			to = append(to, " OR "...)
		}
		or++
	}
	if s.Absent {
		next()
		to = call(to, "attribute_not_exists", n)
	}
	if s.Null {
		next()
		to = typeOf(to, n, "NULL", m)
	}
	for _, av := range s.Values {
		next()
		to = append(append(append(to, n...), " = "...), m.Value(av)...)
	}
	if forms > 1 {
		to = append(to, ')')
	}
	return to
}

// typeOf appends the condition that an operand has a type.
func typeOf(to []byte, operand, name string, m Marks) []byte {
	return call(to, "attribute_type", operand+", "+m.Value(&types.AttributeValueMemberS{Value: name}))
}

// Expired holds for items whose time to live is that of expired ones.
type Expired struct {
	Attribute string
	Expiry    core.Expiry
}

// Holds implements [Pred].
func (e Expired) Holds(item Item) bool { return e.Expiry.Contains(item[e.Attribute]) }

// Render implements [Pred].
func (e Expired) Render(to []byte, m Marks) []byte {
	first, last := e.Expiry.Bounds()
	to = append(append(to, m.Name(e.Attribute)...), " BETWEEN "...)
	to = append(append(to, m.Value(first)...), " AND "...)
	return append(to, m.Value(last)...)
}

// Kind holds if a place has a map, or a list if List is true.
type Kind struct {
	At   *core.BoundPath
	List bool
}

// Holds implements [Pred].
func (k Kind) Holds(item Item) bool {
	switch k.At.In(item).(type) {
	case *types.AttributeValueMemberM:
		return !k.List
	case *types.AttributeValueMemberL:
		return k.List
	default:
		return false
	}
}

// Render implements [Pred].
func (k Kind) Render(to []byte, m Marks) []byte {
	name := "M"
	if k.List {
		name = "L"
	}
	return typeOf(to, m.Path(k.At), name, m)
}

// NotNull holds if a place does not hold NULL. It may be absent.
type NotNull struct{ At *core.BoundPath }

// Holds implements [Pred].
func (n NotNull) Holds(item Item) bool { return !IsNull(n).Holds(item) }

// Render implements [Pred].
func (n NotNull) Render(to []byte, m Marks) []byte {
	path := m.Path(n.At)
	return append(append(append(to, path...), " <> "...), m.Null()...)
}

// IsNull holds if a place holds NULL.
type IsNull struct{ At *core.BoundPath }

// Holds implements [Pred].
func (n IsNull) Holds(item Item) bool {
	_, null := n.At.In(item).(*types.AttributeValueMemberNULL)
	return null
}

// Render implements [Pred].
func (n IsNull) Render(to []byte, m Marks) []byte {
	path := m.Path(n.At)
	return append(append(append(to, path...), " = "...), m.Null()...)
}

// Same reports whether two conditions are certainly the same.
func Same(a, b Pred) bool { return reflect.DeepEqual(a, b) }
