// Package strict decodes JSON that people write. It reports everything that is wrong at once:
// unknown members with the nearest name, members that occur twice, and values of another type. No
// text contains a value.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/tag"
)

// Problem is one thing that is wrong with a request or a file.
type Problem struct {
	Field   string `json:"field,omitempty"` // such as "effects[1].duration"
	Message string `json:"message"`
	Cure    string `json:"cure,omitempty"` // the likely cure
}

// String returns the problem as one line.
func (p Problem) String() string {
	text := p.Message
	if p.Field != "" {
		text = p.Field + ": " + text
	}
	if p.Cure != "" {
		text += ": " + p.Cure
	}
	return text
}

// Decode decodes a JSON object into a pointer to a struct, and returns everything that is wrong.
// What is right is decoded in any case, so that the caller can find more problems.
func Decode(data []byte, into any) []Problem {
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, new(json.RawMessage)); errors.As(err, &syntax) {
		return []Problem{{Message: fmt.Sprintf("not valid JSON at byte %d", syntax.Offset), Cure: "send one JSON object"}}
	}
	c := checker{}
	valid := c.check(data, reflect.TypeOf(into).Elem(), "")
	if valid == nil {
		return c.problems
	}
	if err := json.Unmarshal(valid, into); err != nil { // the check should have found it
		c.add("", "", "not valid JSON for this purpose")
	}
	return c.problems
}

type checker struct{ problems []Problem }

func (c *checker) add(field, cure, format string, args ...any) {
	c.problems = append(c.problems, Problem{Field: field, Message: fmt.Sprintf(format, args...), Cure: cure})
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// check compares a JSON value with a type. It returns the valid part of the value, or nil if there
// is none.
func (c *checker) check(data json.RawMessage, t reflect.Type, field string) json.RawMessage {
	data = bytes.TrimSpace(data)
	switch {
	case t == rawMessage:
		return data
	case string(data) == "null":
		if k := t.Kind(); k != reflect.Pointer && k != reflect.Slice && k != reflect.Map {
			c.add(field, "omit it", "is null")
			return nil
		}
		return data
	}
	switch t.Kind() {
	case reflect.Pointer:
		return c.check(data, t.Elem(), field)
	case reflect.Struct:
		return c.checkStruct(data, t, field)
	case reflect.Map:
		return c.members(data, field, nil, func(name string, value json.RawMessage) json.RawMessage {
			return c.check(value, t.Elem(), join(field, name))
		})
	case reflect.Slice:
		return c.checkSlice(data, t, field)
	default:
		if json.Unmarshal(data, reflect.New(t).Interface()) != nil {
			c.add(field, kindCure(t), "is not %s", kindName(t))
			return nil
		}
		return data
	}
}

// checkSlice checks an array. An invalid element becomes null, so that the others keep their
// positions.
func (c *checker) checkSlice(data json.RawMessage, t reflect.Type, field string) json.RawMessage {
	var elements []json.RawMessage
	if json.Unmarshal(data, &elements) != nil {
		c.add(field, "write it in brackets: [...]", "is not an array")
		return nil
	}
	valid := []byte("[")
	for i, e := range elements {
		if i > 0 {
			valid = append(valid, ',')
		}
		element := c.check(e, t.Elem(), fmt.Sprintf("%s[%d]", field, i))
		if element == nil {
			element = json.RawMessage("null")
		}
		valid = append(valid, element...)
	}
	return append(valid, ']')
}

func (c *checker) checkStruct(data json.RawMessage, t reflect.Type, field string) json.RawMessage {
	fields := map[string]Field{}
	var names []string
	for _, f := range Fields(t) {
		fields[f.Name] = f
		names = append(names, f.Name)
	}
	return c.members(data, field, names, func(name string, value json.RawMessage) json.RawMessage {
		if known, ok := fields[name]; ok {
			before := len(c.problems)
			valid := c.check(value, known.Type, join(field, name))
			for i := range c.problems[before:] {
				if p := &c.problems[before+i]; p.Field == join(field, name) && known.Example != "" {
					p.Cure = "write a string such as " + known.Example
				}
			}
			return valid
		}
		c.add(join(field, name), Nearest(name, names), "unknown member")
		return nil
	})
}

// members calls check for each member of an object, in order, and returns the object of the valid
// parts. Names are those that it may have, or nil.
func (c *checker) members(data json.RawMessage, field string, names []string, check func(name string, value json.RawMessage) json.RawMessage) json.RawMessage {
	if len(data) == 0 || data[0] != '{' {
		c.add(field, objectCure(names), "is not an object")
		return nil
	}
	seen := map[string]bool{}
	valid := []byte("{")
	d := json.NewDecoder(bytes.NewReader(data))
	_, _ = d.Token() // the brace; the JSON is valid
	for d.More() {
		token, _ := d.Token()
		name, _ := token.(string)
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		if seen[name] {
			c.add(join(field, name), "remove one of them", "the member occurs twice")
			continue
		}
		seen[name] = true
		if value = check(name, value); value == nil {
			continue
		}
		if len(valid) > 1 {
			valid = append(valid, ',')
		}
		quoted, _ := json.Marshal(name) // a string
		valid = append(append(append(valid, quoted...), ':'), value...)
	}
	return append(valid, '}')
}

// Field is a member of a struct's JSON object.
type Field struct {
	Name     string
	Type     reflect.Type
	Optional bool   // it may be absent
	Example  string // of a string, in its tag; may be ""
}

// Fields returns the members of a struct type.
func Fields(t reflect.Type) []Field {
	var fields []Field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields = append(fields, Field{name, f.Type, strings.Contains(options, "omitempty"), f.Tag.Get("example")})
	}
	return fields
}

// Nearest returns advice for an unknown name: the name that was probably meant, or all names.
func Nearest(name string, names []string) string {
	if like := tag.Suggest(name, names); like != "" {
		return fmt.Sprintf("did you mean %q?", like)
	}
	if len(names) == 0 {
		return "none exists"
	}
	sorted := slices.Sorted(slices.Values(names))
	return "known are " + strings.Join(sorted, ", ")
}

func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

// objectCure returns the cure of what is not an object with these members.
func objectCure(names []string) string {
	if len(names) == 0 {
		return "write it in braces: {...}"
	}
	sorted := slices.Sorted(slices.Values(names))
	return "write an object in braces, such as {" + fmt.Sprintf("%q", sorted[0]) + ": ...}; its members are " + strings.Join(sorted, ", ")
}

// kindCure returns the cure of a value that does not have this type.
func kindCure(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "write it in quotes"
	case reflect.Bool:
		return "write it without quotes"
	default:
		return "write it in digits, without quotes"
	}
}

func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "an integer"
	default:
		return "of a supported type"
	}
}
