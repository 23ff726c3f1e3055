package expr

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// Update builds an update expression. Changes and the library's own clauses can be added in any
// order. Two clauses whose places overlap are an error, because DynamoDB refuses them.
type Update struct {
	b        *Builder
	clauses  [4][]string // by clause
	targets  []target
	reads    []*core.BoundPath
	problems errs.Problems
}

// clause is a section of an update expression. The order is that of the text.
type clause uint8

const (
	clauseSet clause = iota
	clauseRemove
	clauseAdd
	clauseDelete
)

var clauseNames = [...]string{clauseSet: "SET", clauseRemove: "REMOVE", clauseAdd: "ADD", clauseDelete: "DELETE"}

// target is a place that the update changes.
type target struct {
	attribute string
	elements  []core.PathElement
	path      *core.Path           // nil for an attribute that the library changes
	creates   types.AttributeValue // of a whole attribute: its value in an item that lacked it; nil: none
}

// name returns the place for error texts.
func (t *target) name() string {
	if t.path == nil {
		return t.attribute
	}
	return t.path.String()
}

// NewUpdate returns an empty update expression.
func NewUpdate(b *Builder) *Update { return &Update{b: b} }

// Apply adds a change. An If adds nothing: the caller compiles its conditions.
func (u *Update) Apply(c *BoundChange) error {
	switch {
	case c.Verb == If:
		return nil
	case c.Target.Field != nil && c.Target.Field.KeyOnly:
		return invalid(c.Path.String(), "is stored only in keys: it has no attribute to change", "store the field as an attribute too")
	}
	if err := u.addTarget(target{attribute: c.Target.Attribute, elements: c.Target.Elements, path: c.Path}); err != nil {
		return err
	}
	v, operand := &verbs[c.Verb], types.AttributeValue(nil)
	if len(c.Args) > 0 {
		err := v.checkStored(c, storedTypes(c.Target.Leaf))
		if err == nil {
			operand, err = encodeStored(c.Target, c.Path, c.arg)
		}
		switch {
		case err != nil:
			return err
		case v.elements && len(elements(operand)) == 0:
			return invalid(c.Path.String(), v.name+" is given no elements", "")
		case operand == nil && c.Verb == Set:
			v = &verbs[Remove]
		case operand == nil: // Put would omit the operand
			return nil
		}
		if err := v.checkStored(c, codec.WireOf(operand)); err != nil {
			return err
		}
	}
	u.add(v, c.Target, operand)
	return nil
}

// ChangeAttribute adds a clause of the library for a top-level attribute. Without an operand, it
// removes the attribute. Text returns the error if the clause conflicts with another one.
func (u *Update) ChangeAttribute(v Verb, attribute string, operand types.AttributeValue) {
	if operand == nil {
		v = Remove
	}
	if err := u.addTarget(target{attribute: attribute}); err != nil {
		u.problems.AddErr("", err)
		return
	}
	u.add(&verbs[v], &core.BoundPath{Attribute: attribute}, operand)
}

// Complete adds an attribute that a new item has. An item that has it keeps it, also NULL, which is
// read like an absent attribute.
func (u *Update) Complete(attribute string, operand types.AttributeValue) {
	reads := len(u.reads)
	u.ChangeAttribute(SetIfAbsent, attribute, operand)
	u.reads = u.reads[:reads]
}

// Created returns the attributes that the update gives an item that has none. It leaves out parts
// of attributes, which the update does not create.
func (u *Update) Created() map[string]types.AttributeValue {
	item := make(map[string]types.AttributeValue, len(u.targets))
	for i := range u.targets {
		if t := &u.targets[i]; t.creates != nil {
			item[t.attribute] = t.creates
		}
	}
	return item
}

// MayRemove returns the attributes that an item may lack after the update although it had them.
func (u *Update) MayRemove() (names []string) {
	for i := range u.targets {
		if t := &u.targets[i]; t.creates == nil && len(t.elements) == 0 {
			names = append(names, t.attribute)
		}
	}
	return names
}

// Changes reports whether the update changes an attribute or a part of it.
func (u *Update) Changes(attribute string) bool {
	return slices.ContainsFunc(u.targets, func(t target) bool { return t.attribute == attribute })
}

// Reads returns the places whose stored value the update uses. The update must require that
// none of them holds NULL: DynamoDB refuses to change NULL, or leaves it.
func (u *Update) Reads() []*core.BoundPath { return u.reads }

// add adds the clause of a verb for the last target. It allocates placeholders only for the clause,
// because DynamoDB rejects unused placeholders.
func (u *Update) add(v *verb, at *core.BoundPath, operand types.AttributeValue) {
	path, section, text := u.b.Path(at), v.clause, v.text
	if v.nested != "" && !at.Whole() {
		section, text = clauseSet, v.nested
	}
	if before, after, found := strings.Cut(text, "0"); found {
		text = before + u.b.Value(v.initial) + after
	}
	if operand == nil {
		text = expand(text, path)
	} else {
		text = expand(text, path, u.b.Value(operand))
	}
	u.clauses[section] = append(u.clauses[section], text)
	if at.Whole() && section != clauseDelete {
		u.targets[len(u.targets)-1].creates = operand
	}
	if v.reads && optional(at) {
		u.reads = append(u.reads, at)
	}
}

// addTarget records a changed place. It returns an error if the place conflicts with a recorded
// one.
func (u *Update) addTarget(t target) error {
	for i := range u.targets {
		other := &u.targets[i]
		if !conflict(other, &t) {
			continue
		}
		if t.name() == other.name() {
			return invalid(t.name(), "is changed twice in one update", "keep one of the changes")
		}
		return invalid(t.name(), "overlaps "+other.name()+", which the same update also changes", "change only the larger one, or use two updates")
	}
	u.targets = append(u.targets, t)
	return nil
}

// conflict reports whether DynamoDB refuses to change both places in one update. It does if one
// contains the other, or if one treats as a map what the other treats as a list.
func conflict(a, b *target) bool {
	if a.attribute != b.attribute {
		return false
	}
	for i := range min(len(a.elements), len(b.elements)) {
		if x, y := a.elements[i], b.elements[i]; !sameElement(x, y) {
			return (x.Name == "") != (y.Name == "")
		}
	}
	return true
}

// Text returns the update expression, such as SET #n0 = :v0 REMOVE #n1. It returns an error if the
// library's own clauses conflict or if the expression exceeds 4 KB.
func (u *Update) Text() (string, error) {
	if err := u.problems.Err(); err != nil {
		return "", err
	}
	var sections []string
	for c, list := range u.clauses {
		if len(list) > 0 {
			sections = append(sections, clauseNames[c]+" "+strings.Join(list, ", "))
		}
	}
	text := strings.Join(sections, " ")
	return text, CheckLength(text) // 4 KB of clauses cannot have 300 operators
}
