package core

import (
	"reflect"
	"strconv"
	"strings"
)

// String is the path by attribute names, as tags give them: work.city, lines[2].qty. What may be a key of a map is data and shows
// as ["…"].
func (p *Path) String() string {
	if p == nil || p.Owner == nil {
		return "(empty handle)"
	}
	t := pathText{at: p.Owner}
	for _, s := range p.Steps {
		t.step(s)
	}
	return string(t.text)
}

// pathText writes a path, and keeps the Go type that it stands on; nil where nothing is known.
type pathText struct {
	text []byte
	at   reflect.Type
}

func (t *pathText) step(s *Step) {
	for t.at != nil && t.at.Kind() == reflect.Pointer {
		t.at = t.at.Elem()
	}
	switch s.Kind {
	case StepField:
		if s.In != nil {
			t.at = s.In
		}
		t.fields(s.Index)
	case StepAt:
		t.text = append(strconv.AppendInt(append(t.text, '['), int64(s.At), 10), ']')
		t.at = elem(t.at)
	case StepKey:
		t.hide()
	case StepName:
		t.named(s.Name)
	}
}

func (t *pathText) fields(index []int) {
	for _, i := range index {
		for t.at != nil && t.at.Kind() == reflect.Pointer {
			t.at = t.at.Elem()
		}
		if t.at == nil || t.at.Kind() != reflect.Struct || i >= t.at.NumField() {
			t.at = nil
			return
		}
		f := t.at.Field(i)
		t.at = f.Type
		if name := attributeName(f); name != "" {
			t.name(name)
		}
	}
}

// named shows a name from a run-time path where it is a field's, or the top-level attribute's.
func (t *pathText) named(name string) {
	if t.at != nil && t.at.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t.at) {
			if f.IsExported() && attributeName(f) == name {
				t.at = f.Type
				t.name(name)
				return
			}
		}
	}
	if len(t.text) > 0 {
		t.hide()
		return
	}
	t.at = nil
	t.name(name)
}

func (t *pathText) hide() {
	t.text = append(t.text, `["…"]`...)
	t.at = elem(t.at)
}

// name adds a name, quoted where it could be taken for something else.
func (t *pathText) name(name string) {
	if len(t.text) > 0 {
		t.text = append(t.text, '.')
	}
	if name == "" || strings.ContainsFunc(name, odd) {
		t.text = strconv.AppendQuoteToASCII(t.text, name)
		return
	}
	t.text = append(t.text, name...)
}

func odd(r rune) bool {
	return r != '_' && r != '-' && r != '#' && r != ':' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// attributeName is the name that a field is stored under; empty where it is embedded and its fields are promoted.
func attributeName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("dynamodbav"), ",")
	switch {
	case name != "":
		return name
	case f.Anonymous:
		return ""
	default:
		return f.Name
	}
}

func elem(t reflect.Type) reflect.Type {
	if t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		return t.Elem()
	default:
		return nil
	}
}
