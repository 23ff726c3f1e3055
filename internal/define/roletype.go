package define

import (
	"reflect"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/codec"
)

// versionMismatch returns why a field cannot be the version, or "". Narrow integers are invalid: an
// update increments the attribute in the table, and a value out of the Go type's range cannot be
// decoded.
func versionMismatch(f *codec.Field, stored codec.Wire) (reason, hint string) {
	switch t := f.Node.Type; t.Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64:
		switch {
		case inPackageTime(t):
			return "a version must be a plain integer, but " + fieldAndType(f), "declare it int64"
		case stored != codec.WireN:
			return "a version must be stored as N, but " + f.GoName + " is stored as " + stored.String(), numberHint(f, "int64")
		default:
			return "", ""
		}
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return fieldAndType(f) + ", which is too narrow for a version: after enough writes the item could not be decoded", "declare it int64"
	default:
		return "a version must be an integer, but " + fieldAndType(f), "declare it int64"
	}
}

// inPackageTime reports whether package time declares the type. Its integer types, such as
// Duration, do not hold seconds since 1970.
func inPackageTime(t reflect.Type) bool { return t.PkgPath() == reflect.TypeFor[time.Time]().PkgPath() }

// numberHint returns the hint for a field that is not stored as a number.
func numberHint(f *codec.Field, otherwise string) string {
	if f.AsString {
		return "leave out the option string"
	}
	return "declare it " + otherwise
}

// notKeyable returns why a field cannot be part of a key.
func notKeyable(f *codec.Field) (reason, hint string) {
	if f.Node.TimeText() {
		return fieldAndType(f) + ", which is stored as the text of the time that it embeds: that text includes the time zone and does not sort by time",
			"declare it time.Time"
	}
	hint = "use a field of another type"
	if base := pointedTo(f.Node.Type); base.Name() != "" && base.PkgPath() != "" {
		hint += ", or give " + base.String() + " the methods MarshalText and UnmarshalText"
	}
	return fieldAndType(f) + ", but only text, numbers, times, booleans and bytes can be part of a key", hint
}

// pointedTo returns the type that pointers of type t lead to.
func pointedTo(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	return t
}

// fieldAndType returns the name of a field and its type, such as "Total is a string".
func fieldAndType(f *codec.Field) string { return f.GoName + " is " + article(f.Node.Type) }

// article returns the name of a type after "a" or "an".
func article(t reflect.Type) string {
	name := t.String()
	if strings.ContainsAny(name[:1], "aeioAEIO") {
		return "an " + name
	}
	return "a " + name
}
