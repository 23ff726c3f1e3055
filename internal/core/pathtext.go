package core

import (
	"reflect"
	"strconv"
	"strings"
)

// String returns the path by attribute names from the tags, such as work.city or lines[2].qty. A
// step that may be a map key is data and is shown as ["…"].
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

// pathText writes a path. It tracks the Go type at the current step, which is nil if unknown.
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

// named writes a name from an untyped path if it is a field's or the top-level attribute's. It
// hides other names.
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

// name writes a name, quoted if it has unusual characters.
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

// attributeName returns the attribute name of a field, or "" for an embedded field whose fields are
// promoted.
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
