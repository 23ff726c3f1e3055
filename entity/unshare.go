package entity

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
)

// unshare gives a shallow copy of an entity its own embedded structs where a write stamps a field in one of them: a copy of a pointer
// would let the stamp into the caller's struct before the write has succeeded.
func unshare(d *definition, entity reflect.Value) {
	if d == nil || d.plan == nil {
		return
	}
	for _, f := range []*codec.Field{d.plan.Version, d.plan.Created, d.plan.Updated} {
		if f != nil && len(f.Index) > 1 {
			unshareWay(entity, f.Index[:len(f.Index)-1])
		}
	}
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
