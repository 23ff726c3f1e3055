package explore

import (
	"maps"
	"slices"
	"strings"
)

// legacyWords describes the legacy parameters of a request. Each field is for an expression that
// the request does not have.
type legacyWords struct{ keyCondition, filter, projection, update, condition string }

func legacyWordsOf(b object) legacyWords {
	var names []string
	for _, name := range list(b["AttributesToGet"]) {
		names = append(names, text(name))
	}
	either := " AND "
	if text(b["ConditionalOperator"]) == "OR" {
		either = " OR "
	}
	return legacyWords{
		keyCondition: conditionWords(b["KeyConditions"], " AND "),
		filter:       conditionWords(b["QueryFilter"], either) + conditionWords(b["ScanFilter"], either),
		projection:   strings.Join(names, ", "),
		update:       updateWords(b["AttributeUpdates"]),
		condition:    conditionWords(b["Expected"], either),
	}
}

// conditionWords describes conditions, such as "a GT 1 AND b NULL".
func conditionWords(v any, between string) string {
	conditions := attributes(v)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(conditions)) {
		c := attributes(conditions[name])
		part := name + " " + text(c["ComparisonOperator"])
		switch {
		case c["ComparisonOperator"] != nil:
		case c["Exists"] == false:
			part = name + " NULL"
		default:
			part = name + " EQ"
		}
		for _, operand := range list(c["AttributeValueList"]) {
			part += " " + valueText(operand)
		}
		if c["Value"] != nil {
			part += " " + valueText(c["Value"])
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, between)
}

// updateWords describes changes, such as "PUT a 1, DELETE b".
func updateWords(v any) string {
	updates := attributes(v)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(updates)) {
		u := attributes(updates[name])
		action := text(u["Action"])
		if action == "" {
			action = "PUT"
		}
		part := action + " " + name
		if u["Value"] != nil {
			part += " " + valueText(u["Value"])
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}
