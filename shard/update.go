package shard

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// updateBuilder builds an update, with placeholders for all names and values.
type updateBuilder struct {
	key        op.Item
	sets, adds []string
	removes    []string
	discards   map[string][]string // texts to remove from sets, by attribute
	conditions []string
	names      map[string]string // attribute by placeholder
	marks      map[string]string // placeholder by attribute
	values     op.Item
}

func newUpdate(key op.Item) *updateBuilder {
	return &updateBuilder{key: key, names: map[string]string{}, marks: map[string]string{}, values: op.Item{}}
}

// name returns the placeholder of an attribute.
func (b *updateBuilder) name(attribute string) string {
	if mark, ok := b.marks[attribute]; ok {
		return mark
	}
	mark := "#n" + strconv.Itoa(len(b.names))
	b.names[mark], b.marks[attribute] = attribute, mark
	return mark
}

// value returns a placeholder of a value.
func (b *updateBuilder) value(av core.AV) string {
	mark := ":v" + strconv.Itoa(len(b.values))
	b.values[mark] = av
	return mark
}

func (b *updateBuilder) set(attribute string, av core.AV) {
	b.sets = append(b.sets, b.name(attribute)+" = "+b.value(av))
}

// setIn sets an element of a map.
func (b *updateBuilder) setIn(attribute, key string, av core.AV) {
	b.sets = append(b.sets, b.name(attribute)+"."+b.name(key)+" = "+b.value(av))
}

// setLater sets the attribute of a time, which must not be later yet.
func (b *updateBuilder) setLater(attribute string, at core.AV) {
	mark, value := b.name(attribute), b.value(at)
	b.sets = append(b.sets, mark+" = "+value)
	b.require("(attribute_not_exists(" + mark + ") OR " + mark + " <= " + value + ")")
}

// setDefault sets an attribute if the item does not have it.
func (b *updateBuilder) setDefault(attribute string, av core.AV) {
	mark := b.name(attribute)
	b.sets = append(b.sets, mark+" = if_not_exists("+mark+", "+b.value(av)+")")
}

func (b *updateBuilder) add(attribute string, av core.AV) {
	b.adds = append(b.adds, b.name(attribute)+" "+b.value(av))
}

// discard removes a text from a set.
func (b *updateBuilder) discard(attribute, text string) {
	if b.discards == nil {
		b.discards = map[string][]string{}
	}
	b.discards[attribute] = append(b.discards[attribute], text)
}

func (b *updateBuilder) remove(attribute string) { b.removes = append(b.removes, b.name(attribute)) }

// require adds a condition.
func (b *updateBuilder) require(condition string) { b.conditions = append(b.conditions, condition) }

// requireEqual requires the value of an attribute. A missing attribute counts as 0.
func (b *updateBuilder) requireEqual(attribute string, n int64) {
	mark := b.name(attribute)
	condition := mark + " = " + b.value(number(n))
	if n == 0 {
		condition = "(attribute_not_exists(" + mark + ") OR " + condition + ")"
	}
	b.require(condition)
}

// requireNone requires that the item does not have the attribute.
func (b *updateBuilder) requireNone(attribute string) {
	b.require("attribute_not_exists(" + b.name(attribute) + ")")
}

// action returns the update, or a check if it only has conditions.
func (b *updateBuilder) action() op.Action {
	var clauses, deletes []string
	for attribute, texts := range b.discards {
		deletes = append(deletes, b.name(attribute)+" "+b.value(&types.AttributeValueMemberSS{Value: texts}))
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
