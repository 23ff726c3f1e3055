package define

import (
	"reflect"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/codec"
)

// notVersion returns why a field cannot be the version, or "". Narrow integers are invalid: an
// update increments the attribute in the table, and a value out of the Go type's range cannot be
// decoded.
func notVersion(f *codec.Field, stored codec.Wire) (reason, hint string) {
	switch t := f.Node.Type; t.Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64:
		switch {
		case ofPackageTime(t):
			return "a version is a plain integer, and " + isA(f), "declare it int64"
		case stored != codec.WireN:
			return "a version is stored as a number, and " + f.GoName + " as " + stored.String(), asNumber(f, "int64")
		default:
			return "", ""
		}
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return isA(f) + ", which is too narrow for a version: an item that is written often enough could not be read any more", "declare it int64"
	default:
		return "a version is an integer, and " + isA(f), "declare it int64"
	}
}

// ofPackageTime reports whether package time declares the type. Its integer types, such as
// Duration, do not hold seconds since 1970.
func ofPackageTime(t reflect.Type) bool { return t.PkgPath() == reflect.TypeFor[time.Time]().PkgPath() }

// asNumber returns the hint for a field that is not stored as a number.
func asNumber(f *codec.Field, otherwise string) string {
	if f.AsString {
		return "leave out the option string"
	}
	return "declare it " + otherwise
}

// notKeyable returns why a field cannot be part of a key.
func notKeyable(f *codec.Field) (reason, hint string) {
	if f.Node.TimeText() {
		return isA(f) + ", which stores itself as the time that it embeds: that text keeps the time's zone, and does not sort by time",
			"declare it time.Time"
	}
	hint = "use a field of another type"
	if base := behind(f.Node.Type); base.Name() != "" && base.PkgPath() != "" {
		hint += ", or give " + base.String() + " the methods MarshalText and UnmarshalText"
	}
	return isA(f) + ", and only text, numbers, times, booleans and bytes can be part of a key", hint
}

// behind returns the type that pointers of type t lead to.
func behind(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	return t
}

// isA returns the name of a field and its type, such as "Total is a string".
func isA(f *codec.Field) string { return f.GoName + " is " + article(f.Node.Type) }

// article returns the name of a type after "a" or "an".
func article(t reflect.Type) string {
	name := t.String()
	if strings.ContainsAny(name[:1], "aeioAEIO") {
		return "an " + name
	}
	return "a " + name
}
