package entity

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
)

// copied returns a copy of an entity for a write to stamp. It also copies the embedded structs
// behind pointers that a stamp changes. Otherwise the stamp would change the caller's struct before
// the write succeeds.
func (d *definition) copied(entity reflect.Value) reflect.Value {
	own := reflect.New(d.plan.Type).Elem()
	own.Set(entity)
	for _, f := range []*codec.Field{d.plan.Version, d.plan.Created, d.plan.Updated} {
		if f != nil && len(f.Index) > 1 {
			unshareWay(own, f.Index[:len(f.Index)-1])
		}
	}
	return own
}

// unshareWay copies the structs behind the embedded pointers of a path.
func unshareWay(v reflect.Value, way []int) {
	for _, i := range way {
		v = v.Field(i)
		if v.Kind() != reflect.Pointer {
			continue
		}
		if v.IsNil() {
			return
		}
		own := reflect.New(v.Type().Elem())
		own.Elem().Set(v.Elem())
		v.Set(own)
		v = own.Elem()
	}
}
