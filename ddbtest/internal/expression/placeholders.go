package expression

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

const (
	maxPlaceholder   = 255       // bytes of a placeholder
	maxName          = 65535     // bytes of an attribute name
	maxSubstitutions = 2_097_152 // bytes of all names, of all values, and of both
)

// The request's members with the placeholders.
const (
	namesMember  = "ExpressionAttributeNames"
	valuesMember = "ExpressionAttributeValues"
)

// Placeholders are the expression attribute names and values of a request. They record which of
// them are used. They are not safe for concurrent use.
type Placeholders struct {
	names  map[string]string
	values map[string]value.Value
	used   map[string]bool // of names and values, which begin with different signs
}

// NewPlaceholders returns the placeholders of a request. It keeps the maps. A nil map is an absent
// member. It rejects an empty map, malformed placeholders, invalid names, and maps that are too
// large.
func NewPlaceholders(names map[string]string, values map[string]value.Value) (*Placeholders, error) {
	nameBytes, err := checkNames(names)
	if err != nil {
		return nil, err
	}
	valueBytes, err := checkValues(values)
	if err != nil {
		return nil, err
	}
	switch {
	case nameBytes > maxSubstitutions:
		return nil, awserr.Validation("%s exceeds max size", namesMember)
	case valueBytes > maxSubstitutions:
		return nil, awserr.Validation("%s exceeds max size", valuesMember)
	case nameBytes+valueBytes > maxSubstitutions:
		return nil, awserr.Validation("Combined size of %s and %s exceeds max size", namesMember, valuesMember)
	}
	p := &Placeholders{names: names, values: values}
	if n := len(names) + len(values); n > 0 {
		p.used = make(map[string]bool, n)
	}
	return p, nil
}

// checkNames returns the bytes of the names and their placeholders.
func checkNames(names map[string]string) (size int, err error) {
	badKey, badName := names != nil && len(names) == 0, false
	for key, name := range names {
		size += len(key) + len(name)
		badKey = badKey || !isPlaceholder(key, '#')
		badName = badName || !isName(name)
	}
	switch {
	case badKey:
		return 0, errPlaceholderKeys(namesMember, '#', names)
	case badName:
		return 0, errAttributeNames(names)
	}
	return size, nil
}

// checkValues returns the bytes of the values and their placeholders.
func checkValues(values map[string]value.Value) (size int, err error) {
	badKey := values != nil && len(values) == 0
	for key, v := range values {
		size += len(key) + value.Size(v)
		badKey = badKey || !isPlaceholder(key, ':')
	}
	if badKey {
		return 0, errPlaceholderKeys(valuesMember, ':', values)
	}
	return size, nil
}

func isPlaceholder(key string, sign byte) bool {
	return len(key) > 1 && len(key) <= maxPlaceholder && key[0] == sign && wordLength(key[1:]) == len(key)-1
}

func isName(name string) bool { return name != "" && len(name) <= maxName }

// errPlaceholderKeys returns the error of a map that is empty or has a malformed placeholder.
func errPlaceholderKeys[V any](member string, sign byte, entries map[string]V) error {
	key := firstKey(entries, func(key string, _ V) bool { return !isPlaceholder(key, sign) })
	switch {
	case len(entries) == 0:
		return awserr.Validation("%s must not be empty", member)
	case key == "":
		return awserr.Validation("%s contains invalid key: The expression attribute map contains an empty key;", member)
	case len(key) > maxPlaceholder:
		return awserr.Validation("%s contains invalid key: The expression attribute map contains a key that is too long; size of key: %d", member, len(key))
	default:
		return awserr.Validation(`%s contains invalid key: Syntax error; key: "%s"`, member, key)
	}
}

// errAttributeNames returns the error of a map with an invalid name.
func errAttributeNames(names map[string]string) error {
	key := firstKey(names, func(_, name string) bool { return !isName(name) })
	if names[key] == "" {
		return awserr.Validation("%s contains invalid value: Empty attribute name for key %s", namesMember, key)
	}
	return awserr.Validation("%s contains invalid value: Attribute name is too large, must be less than 65536 bytes for key %s", namesMember, key)
}

// firstKey returns the lowest matching key, so that an error does not depend on the order of a Go
// map.
func firstKey[V any](entries map[string]V, meant func(key string, v V) bool) string {
	low, found := "", false
	for key, v := range entries {
		if meant(key, v) && (!found || key < low) {
			low, found = key, true
		}
	}
	return low
}

// name returns the name of a placeholder, and marks it as used.
func (p *Placeholders) name(key string) (string, bool) {
	name, ok := p.names[key]
	if ok {
		p.used[key] = true
	}
	return name, ok
}

// value returns the value of a placeholder, and marks it as used.
func (p *Placeholders) value(key string) (value.Value, bool) {
	v, ok := p.values[key]
	if ok {
		p.used[key] = true
	}
	return v, ok
}

// Unused rejects placeholders that no parsed expression used.
func (p *Placeholders) Unused() error {
	if len(p.used) == len(p.names)+len(p.values) {
		return nil
	}
	if err := unused(namesMember, p.names, p.used); err != nil {
		return err
	}
	return unused(valuesMember, p.values, p.used)
}

func unused[V any](member string, entries map[string]V, used map[string]bool) error {
	var left []string
	for key := range entries {
		if !used[key] {
			left = append(left, key)
		}
	}
	if left == nil {
		return nil
	}
	slices.Sort(left)
	return awserr.Validation("Value provided in %s unused in expressions: keys: {%s}", member, strings.Join(left, ", "))
}
