package differential

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// String formats a failure: the tables, the operations up to the failing one, and the differences.
func (f *failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, step %d of %d\n", f.history.name, f.step, len(f.history.steps))
	for _, t := range f.history.tables {
		fmt.Fprintf(&b, "  %s\n", t)
	}
	for i, op := range f.history.steps[:min(f.step+1, len(f.history.steps))] {
		fmt.Fprintf(&b, "  %d. %s\n", i, op)
	}
	for _, d := range f.differences {
		fmt.Fprintf(&b, "  differs: %s\n", d)
	}
	return b.String()
}

func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "table %s %v", t.name, t.key)
	if t.stream != "" {
		fmt.Fprintf(&b, " stream %s", t.stream)
	}
	for _, x := range t.indexes {
		kind := "global"
		if x.local {
			kind = "local"
		}
		fmt.Fprintf(&b, "; %s index %s %v %s %v", kind, x.name, x.key, x.projection, x.include)
	}
	return b.String()
}

func (o operation) String() string {
	text := write(reflect.ValueOf(o.input))
	switch o.form {
	case firstPage:
		text = fmt.Sprintf("first page of read %d: %s", o.slot, text)
	case nextPage:
		text = fmt.Sprintf("next page of read %d", o.slot)
	case deleteAtCursor:
		text = fmt.Sprintf("delete the item at which read %d stands", o.slot)
	case allSegments:
		text = "all segments: " + text
	}
	if o.token > 0 {
		text += fmt.Sprintf(" token %d", o.token)
	}
	if o.invalid != "" {
		text += " (" + o.invalid + ")"
	}
	return text
}

// write formats a request. It omits absent members.
func write(v reflect.Value) string {
	if v.CanInterface() {
		if attribute, ok := v.Interface().(value); ok && attribute != nil {
			return spelling{}.value(attribute)
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return write(v.Elem())
	case reflect.Struct:
		return strings.TrimSuffix(v.Type().Name(), "Input") + "{" + strings.Join(writeFields(v), ", ") + "}"
	case reflect.Map:
		var parts []string
		for _, name := range v.MapKeys() {
			parts = append(parts, write(name)+": "+write(v.MapIndex(name)))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case reflect.Slice:
		var parts []string
		for i := range v.Len() {
			parts = append(parts, write(v.Index(i)))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		return fmt.Sprint(v)
	}
}

func writeFields(v reflect.Value) []string {
	var fields []string
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.IsExported() && !v.Field(i).IsZero() {
			fields = append(fields, field.Name+": "+write(v.Field(i)))
		}
	}
	return fields
}
