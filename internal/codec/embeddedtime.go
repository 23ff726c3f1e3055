package codec

import (
	"encoding"
	"reflect"
	"slices"
	"time"
)

// writesTime reports whether a struct type marshals itself as the time.Time that it embeds. That
// text keeps the time's zone and has a fraction of any width, so it does not sort by time.
func writesTime(t reflect.Type) (yes bool) {
	if t.Kind() != reflect.Struct || t == timeType {
		return false
	}
	v, probe := reflect.New(t), time.Date(2001, 2, 3, 4, 5, 6, 5e8, time.FixedZone("", 3600))
	if !setEmbedded(v.Elem(), probe, nil) {
		return false
	}
	defer func() { _ = recover() }() // the type's own method may panic on the value
	text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
	return err == nil && string(text) == probe.Format(time.RFC3339Nano)
}

// setEmbedded sets the times that a struct embeds, at any depth. It returns false if there are
// none.
func setEmbedded(v reflect.Value, t time.Time, above []reflect.Type) (found bool) {
	if v.Kind() == reflect.Pointer && v.CanSet() && v.Type().Elem().Kind() == reflect.Struct {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch {
	case v.Type() == timeType && v.CanSet():
		v.Set(reflect.ValueOf(t))
		return true
	case v.Kind() != reflect.Struct || slices.Contains(above, v.Type()):
		return false
	}
	above = append(above[:len(above):len(above)], v.Type())
	for i := range v.NumField() {
		if v.Type().Field(i).Anonymous && setEmbedded(v.Field(i), t, above) {
			found = true
		}
	}
	return found
}

// TimeText reports whether the type, after pointers, is a struct that marshals itself as the
// time.Time that it embeds. Such text does not sort by time, so it cannot be part of a key.
func (n *Node) TimeText() bool { return n.Base().timeText }

// inUTC converts the text of a time to UTC. It returns a text that is not a time unchanged.
func inUTC(text []byte) []byte {
	t, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return text
	}
	if utc, err := t.UTC().MarshalText(); err == nil {
		return utc
	}
	return text
}
