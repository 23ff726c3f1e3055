package libitem

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Update builds an update of an item of the library, with placeholders for all names and values.
type Update struct {
	key        op.Item
	sets, adds []string
	removes    []string
	discards   map[string][]string // texts to remove from sets, by attribute
	conditions []string
	names      map[string]string // attribute by placeholder
	marks      map[string]string // placeholder by attribute
	values     op.Item
}

// NewUpdate returns an update without changes and conditions.
func NewUpdate(key op.Item) *Update {
	return &Update{key: key, names: map[string]string{}, marks: map[string]string{}, values: op.Item{}}
}

// Name returns the placeholder of an attribute.
func (b *Update) Name(attribute string) string {
	if mark, ok := b.marks[attribute]; ok {
		return mark
	}
	mark := "#n" + strconv.Itoa(len(b.names))
	b.names[mark], b.marks[attribute] = attribute, mark
	return mark
}

// Value returns a placeholder of a value.
func (b *Update) Value(av core.AV) string {
	mark := ":v" + strconv.Itoa(len(b.values))
	b.values[mark] = av
	return mark
}

// Set sets an attribute.
func (b *Update) Set(attribute string, av core.AV) {
	b.sets = append(b.sets, b.Name(attribute)+" = "+b.Value(av))
}

// SetOwn sets the attributes that an item of the library has because of the schema. The type is
// empty for an item whose key is not the library's.
func (b *Update) SetOwn(s *core.Schema, itemType string) {
	for name, av := range s.OwnAttributes(itemType, b.key) {
		b.Set(name, av)
	}
}

// SetIn sets an element of a map.
func (b *Update) SetIn(attribute, key string, av core.AV) {
	b.sets = append(b.sets, b.Name(attribute)+"."+b.Name(key)+" = "+b.Value(av))
}

// SetLater sets the attribute of a time, which must not be later yet.
func (b *Update) SetLater(attribute string, at core.AV) {
	mark, value := b.Name(attribute), b.Value(at)
	b.sets = append(b.sets, mark+" = "+value)
	b.Require("(attribute_not_exists(" + mark + ") OR " + mark + " <= " + value + ")")
}

// SetDefault sets an attribute if the item does not have it.
func (b *Update) SetDefault(attribute string, av core.AV) {
	mark := b.Name(attribute)
	b.sets = append(b.sets, mark+" = if_not_exists("+mark+", "+b.Value(av)+")")
}

// SetFrom adds n to a number. An item without the attribute has the given one first.
func (b *Update) SetFrom(attribute string, first, n int64) {
	mark, sign := b.Name(attribute), " + "
	if n < 0 {
		sign, n = " - ", -n
	}
	b.sets = append(b.sets, mark+" = if_not_exists("+mark+", "+b.Value(Number(first))+")"+sign+b.Value(Number(n)))
}

// Add adds to a number.
func (b *Update) Add(attribute string, av core.AV) {
	b.adds = append(b.adds, b.Name(attribute)+" "+b.Value(av))
}

// Discard removes a text from a set.
func (b *Update) Discard(attribute, text string) {
	if b.discards == nil {
		b.discards = map[string][]string{}
	}
	b.discards[attribute] = append(b.discards[attribute], text)
}

// Remove removes an attribute.
func (b *Update) Remove(attribute string) { b.removes = append(b.removes, b.Name(attribute)) }

// Require adds a condition.
func (b *Update) Require(condition string) { b.conditions = append(b.conditions, condition) }

// RequireEqual requires the value of an attribute. A missing attribute counts as 0.
func (b *Update) RequireEqual(attribute string, n int64) {
	mark := b.Name(attribute)
	condition := mark + " = " + b.Value(Number(n))
	if n == 0 {
		condition = "(attribute_not_exists(" + mark + ") OR " + condition + ")"
	}
	b.Require(condition)
}

// RequireNone requires that the item does not have the attribute.
func (b *Update) RequireNone(attribute string) {
	b.Require("attribute_not_exists(" + b.Name(attribute) + ")")
}

// Action returns the update, or a check if it only has conditions.
func (b *Update) Action() op.Action {
	var clauses, deletes []string
	for attribute, texts := range b.discards {
		deletes = append(deletes, b.Name(attribute)+" "+b.Value(&types.AttributeValueMemberSS{Value: texts}))
	}
	for _, c := range []struct {
		word string
		list []string
	}{{"SET ", b.sets}, {"REMOVE ", b.removes}, {"ADD ", b.adds}, {"DELETE ", deletes}} {
		if len(c.list) > 0 {
			clauses = append(clauses, c.word+strings.Join(c.list, ", "))
		}
	}
	a := op.Action{Verb: op.Update, Key: b.key, Update: strings.Join(clauses, " "), Condition: strings.Join(b.conditions, " AND "), Names: b.names}
	if a.Update == "" {
		a.Verb = op.Check
	}
	if len(b.values) > 0 {
		a.Values = b.values
	}
	return a
}
