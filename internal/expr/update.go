package expr

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// Update is the changes of one update. Changes of the caller and of the library can be added in any
// order. Two changes whose places overlap are an error, because DynamoDB refuses them. The zero
// value changes nothing.
type Update struct {
	list     []assignment
	problems errs.Problems
}

// assignment is what an update does to one place.
type assignment struct {
	verb  Verb
	at    *core.BoundPath
	value types.AttributeValue // nil for Remove
	plus  types.AttributeValue // of SetIfAbsent: a number that is added to the result; nil: none
	path  *core.Path           // nil for an attribute that the library changes
	keeps bool                 // it leaves NULL, which is read like an absent attribute
}

// section is a section of an update expression. The order is that of the text.
type section uint8

const (
	sectionSet section = iota
	sectionRemove
	sectionAdd
	sectionDelete
	sections
)

var sectionNames = [sections]string{sectionSet: "SET ", sectionRemove: "REMOVE ", sectionAdd: "ADD ", sectionDelete: "DELETE "}

// name returns the place for error texts.
func (a *assignment) name() string {
	if a.path == nil {
		return a.at.Attribute
	}
	return a.path.String()
}

// section returns the section of the assignment, and its expression.
func (a *assignment) section() (section, string) {
	v := &verbs[a.verb]
	if v.nested != "" && !a.at.Whole() {
		return sectionSet, v.nested
	}
	return v.section, v.text
}

// NewUpdate returns an update without changes.
func NewUpdate() *Update { return &Update{} }

// Clone returns a copy, which can be changed. The copy of nil changes nothing.
func (u *Update) Clone() *Update {
	if u == nil {
		return NewUpdate()
	}
	return &Update{list: slices.Clone(u.list), problems: u.problems}
}

// IsEmpty reports whether nothing changes.
func (u *Update) IsEmpty() bool { return u == nil || len(u.list) == 0 }

// Apply adds a change. An If adds nothing: the caller compiles its conditions.
func (u *Update) Apply(c *BoundChange) error {
	switch {
	case c.Verb == If:
		return nil
	case c.Target.Field != nil && c.Target.Field.KeyOnly:
		return invalid(c.Path.String(), "is stored only in keys: it has no attribute to change", "store the field as an attribute too")
	}
	a := assignment{verb: c.Verb, at: c.Target, path: c.Path}
	if err := u.checkPlace(&a); err != nil {
		return err
	}
	if len(c.Args) > 0 {
		v := &verbs[c.Verb]
		err := v.checkStored(c, storedTypes(c.Target.Leaf))
		if err == nil {
			a.value, err = encodeStored(c.Target, c.Path, c.arg)
		}
		switch {
		case err != nil:
			return err
		case v.elements && len(elements(a.value)) == 0:
			return invalid(c.Path.String(), v.name+" is given no elements", "")
		case a.value == nil && c.Verb == Set:
			a.verb = Remove
		case a.value == nil: // Put would omit the operand
			return nil
		}
		if err := verbs[a.verb].checkStored(c, codec.WireOf(a.value)); err != nil {
			return err
		}
	}
	u.list = append(u.list, a)
	return nil
}

// ChangeAttribute adds a change of the library of a top-level attribute. Without an operand, it
// removes the attribute. Err returns the error if the change conflicts with another one.
func (u *Update) ChangeAttribute(v Verb, attribute string, operand types.AttributeValue) {
	u.Change(v, &core.BoundPath{Attribute: attribute}, operand)
}

// Change is ChangeAttribute for a place.
func (u *Update) Change(v Verb, at *core.BoundPath, operand types.AttributeValue) {
	if operand == nil {
		v = Remove
	}
	u.add(assignment{verb: v, at: at, value: operand})
}

// Complete adds an attribute that a new item has. An item that has it keeps it, also NULL, which is
// read like an absent attribute.
func (u *Update) Complete(attribute string, operand types.AttributeValue) {
	u.add(assignment{verb: SetIfAbsent, at: &core.BoundPath{Attribute: attribute}, value: operand, keeps: true})
}

// AddTo adds a whole number to an attribute. It merges the change with an Add or a SetIfAbsent of
// the attribute. With any other change, it conflicts.
func (u *Update) AddTo(attribute string, n types.AttributeValue) {
	for i := range u.list {
		a := &u.list[i]
		if a.at.Attribute != attribute || !a.at.Whole() {
			continue
		}
		switch sum, ok := addInt(a.value, n); {
		case a.verb == Add && ok:
			a.value = sum
			return
		case a.verb == SetIfAbsent && a.plus == nil:
			a.plus = n
			return
		case a.verb == SetIfAbsent:
			if sum, ok = addInt(a.plus, n); ok {
				a.plus = sum
				return
			}
		}
	}
	u.ChangeAttribute(Add, attribute, n)
}

// addInt returns the sum of two whole numbers. It returns false if one is not whole, or the sum
// does not fit.
func addInt(av, by types.AttributeValue) (types.AttributeValue, bool) {
	a, ok := av.(*types.AttributeValueMemberN)
	b, also := by.(*types.AttributeValueMemberN)
	if !ok || !also {
		return nil, false
	}
	m, err := strconv.ParseInt(a.Value, 10, 64)
	n, bad := strconv.ParseInt(b.Value, 10, 64)
	sum := m + n
	if err != nil || bad != nil || (sum > m) != (n > 0) {
		return nil, false
	}
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(sum, 10)}, true
}

func (u *Update) add(a assignment) {
	if err := u.checkPlace(&a); err != nil {
		u.problems.AddErr("", err)
		return
	}
	u.list = append(u.list, a)
}

// Created returns the attributes that the update gives an item that has none. It leaves out parts
// of attributes, which the update does not create.
func (u *Update) Created() map[string]types.AttributeValue {
	item := make(map[string]types.AttributeValue, len(u.list))
	for i := range u.list {
		if a := &u.list[i]; a.creates() {
			item[a.at.Attribute] = a.value
		}
	}
	return item
}

// creates reports whether the assignment gives an item an attribute that it lacks.
func (a *assignment) creates() bool {
	s, _ := a.section()
	return a.at.Whole() && s != sectionDelete && a.value != nil
}

// MayRemove returns the attributes that an item may lack after the update although it had them.
func (u *Update) MayRemove() (names []string) {
	for i := range u.list {
		if a := &u.list[i]; !a.creates() && a.at.Whole() {
			names = append(names, a.at.Attribute)
		}
	}
	return names
}

// Removes reports whether the update removes a whole attribute.
func (u *Update) Removes(attribute string) bool {
	return u != nil && slices.ContainsFunc(u.list, func(a assignment) bool { return a.verb == Remove && a.at.Whole() && a.at.Attribute == attribute })
}

// Changes reports whether the update changes an attribute or a part of it.
func (u *Update) Changes(attribute string) bool {
	return slices.ContainsFunc(u.list, func(a assignment) bool { return a.at.Attribute == attribute })
}

// Touched returns the attributes that the update changes in an item that has all attributes.
func (u *Update) Touched() map[string]bool {
	touched := map[string]bool{}
	for i := range u.list {
		if a := &u.list[i]; a.verb != SetIfAbsent || a.plus != nil {
			touched[a.at.Attribute] = true
		}
	}
	return touched
}

// Reads returns the places whose stored value the update uses. The update must require that
// none of them holds NULL: DynamoDB refuses to change NULL, or leaves it.
func (u *Update) Reads() (places []*core.BoundPath) {
	for i := range u.list {
		if a := &u.list[i]; verbs[a.verb].reads && !a.keeps && optional(a.at) {
			places = append(places, a.at)
		}
	}
	return places
}

// checkPlace returns an error if a place conflicts with one that the update changes already.
func (u *Update) checkPlace(a *assignment) error {
	for i := range u.list {
		other := &u.list[i]
		if !conflict(other.at, a.at) {
			continue
		}
		if a.name() == other.name() {
			return invalid(a.name(), "is changed twice in one update", "keep one of the changes")
		}
		return invalid(a.name(), "overlaps "+other.name()+", which the same update also changes", "change only the larger one, or use two updates")
	}
	return nil
}

// conflict reports whether DynamoDB refuses to change both places in one update. It does if one
// contains the other, or if one treats as a map what the other treats as a list.
func conflict(a, b *core.BoundPath) bool {
	if a.Attribute != b.Attribute {
		return false
	}
	for i := range min(len(a.Elements), len(b.Elements)) {
		if x, y := a.Elements[i], b.Elements[i]; !sameElement(x, y) {
			return (x.Name == "") != (y.Name == "")
		}
	}
	return true
}

// Err returns the error of changes of the library that conflict.
func (u *Update) Err() error {
	if u == nil {
		return nil
	}
	return u.problems.Err()
}

// Text returns the update expression. It returns an error if changes of the library conflict or if
// the expression exceeds 4 KB.
func (u *Update) Text(m clause.Marks) (string, error) {
	if err := u.Err(); err != nil {
		return "", err
	}
	text := string(u.Render(nil, m))
	return text, CheckLength(text) // 4 KB of changes cannot have 300 operators
}

// Render appends the update expression, such as SET #n0 = :v0 REMOVE #n1.
func (u *Update) Render(to []byte, m clause.Marks) []byte {
	if u == nil {
		return to
	}
	start := len(to)
	for s := range sections {
		first := true
		for i := range u.list {
			a := &u.list[i]
			in, text := a.section()
			switch {
			case in != s:
				continue
			case !first:
				to = append(to, ", "...)
			case len(to) > start:
				to = append(append(to, ' '), sectionNames[s]...)
			default:
				to = append(to, sectionNames[s]...)
			}
			to, first = a.render(to, text, m), false
		}
	}
	return to
}

// render appends the expression of the assignment.
func (a *assignment) render(to []byte, text string, m clause.Marks) []byte {
	path := m.Path(a.at)
	if before, after, found := strings.Cut(text, "0"); found {
		text = before + m.Value(verbs[a.verb].initial) + after
	}
	if a.value == nil {
		return clause.Expand(to, text, path)
	}
	to = clause.Expand(to, text, path, m.Value(a.value))
	if a.plus != nil {
		to = append(append(to, " + "...), m.Value(a.plus)...)
	}
	return to
}
