package expression

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Comparison is what a [Test] asserts of an attribute.
type Comparison uint8

// The comparisons of [Test]. IsIn has one operand or more, IsBetween has two, Exists and NotExists
// have none, and the others have one.
const (
	IsEqual Comparison = iota + 1
	IsNotEqual
	IsLess
	IsLessOrEqual
	IsGreater
	IsGreaterOrEqual
	IsIn
	IsBetween // both bounds included
	Exists
	NotExists
	HasPrefix
	Contains
	ContainsNot // false if the attribute does not exist
)

// Test is a condition on one top-level attribute. The caller must check the operands.
type Test struct {
	Attribute  string
	Comparison Comparison
	Operands   []value.Value
}

// NewCondition returns the condition that all tests hold, or any of them. There must be a test.
func NewCondition(tests []Test, anyOf bool) *Condition {
	c := &Condition{}
	parts := make([]predicate, len(tests))
	for i, t := range tests {
		path := Path{{Name: t.Attribute}}
		c.paths = append(c.paths, path)
		c.size += len(t.Attribute)
		for _, v := range t.Operands {
			c.size += value.Size(v)
		}
		parts[i] = t.predicate(path)
	}
	c.predicate = andTest(parts)
	if anyOf {
		c.predicate = orTest(parts)
	}
	return c
}

// testOperators are the comparisons that are operators of expressions.
var testOperators = map[Comparison]*operator{
	IsEqual: equal, IsNotEqual: unequal, IsLess: less, IsLessOrEqual: lessEqual, IsGreater: greater, IsGreaterOrEqual: greaterEqual,
}

func (t Test) predicate(path Path) predicate {
	operands := make([]operand, len(t.Operands))
	for i, v := range t.Operands {
		operands[i] = literal{v}
	}
	switch t.Comparison {
	case IsIn:
		return inTest{path, operands}
	case IsBetween:
		return betweenTest{path, operands[0], operands[1]}
	case Exists:
		return testOf("attribute_exists", path)
	case NotExists:
		return testOf("attribute_not_exists", path)
	case HasPrefix:
		return testOf("begins_with", path, operands[0])
	case Contains:
		return testOf("contains", path, operands[0])
	case ContainsNot:
		return andTest{testOf("attribute_exists", path), notTest{testOf("contains", path, operands[0])}}
	default:
		return comparison{testOperators[t.Comparison], path, operands[0]}
	}
}

func testOf(name string, operands ...operand) predicate {
	return functionTest{functions[name], name, operands}
}

// Action is what a [Change] does.
type Action uint8

// The actions of [Change].
const (
	Set    Action = iota + 1
	Add           // a number, a set or a list, to one of the same type or to none
	Delete        // members of a set
	Remove
)

var actionKeywords = map[Action]tokenKind{Set: setToken, Add: addToken, Delete: deleteToken, Remove: removeToken}

// Change is a change of one top-level attribute. The caller must check the value, which is nil for
// Remove.
type Change struct {
	Attribute string
	Action    Action
	Value     value.Value
}

// NewUpdate returns the update that makes the changes, which must be sorted by their attributes,
// without duplicates. If a value does not suit the attribute of the item, the error of
// [Update.Apply] is mismatch.
func NewUpdate(changes []Change, mismatch error) *Update {
	u := &Update{mismatch: mismatch}
	for i, given := range changes {
		path := Path{{Name: given.Attribute}}
		c := &change{keyword: actionKeywords[given.Action], target: path, value: given.Value}
		if given.Action == Set {
			c.source = operandValue{literal{given.Value}}
		}
		u.changes, u.targets = append(u.changes, c), append(u.targets, path)
		u.root.addAttribute(path, i)
	}
	return u
}

// NewProjection returns the projection to top-level attributes, whose names must be different.
func NewProjection(names []string) *Projection {
	p := &Projection{paths: make([]Path, len(names))}
	for i, name := range names {
		p.paths[i] = Path{{Name: name}}
	}
	sorted := slices.SortedFunc(slices.Values(p.paths), func(a, b Path) int { return a[0].compare(b[0]) })
	for _, path := range sorted {
		p.root.addAttribute(path, struct{}{})
	}
	return p
}

// addAttribute adds a path of one element, after all others: [pathTree.add] would need quadratic
// time for many of them in another order.
func (b *pathTree[L]) addAttribute(path Path, leaf L) {
	b.children = append(b.children, newPathTree(path, path, leaf))
}
