package entity

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
)

// copied is a copy of an entity that a write may stamp. It has its own embedded structs where a stamp
// goes into one of them: a copied pointer would let the stamp into the caller's struct before the
// write has succeeded.
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

// unshareWay copies what the embedded pointers on a way point to.
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
