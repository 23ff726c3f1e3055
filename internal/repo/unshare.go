package repo

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// copied returns a copy of an entity for a write to stamp. It also copies the embedded structs
// behind pointers that a stamp changes. Otherwise the stamp would change the caller's struct before
// the write succeeds.
func copied(p *core.Plan, entity reflect.Value) reflect.Value {
	own := reflect.New(p.Type).Elem()
	own.Set(entity)
	for _, f := range []*codec.Field{p.Version, p.Created, p.Updated} {
		if f != nil && len(f.Index) > 1 {
			copyEmbedded(own, f.Index[:len(f.Index)-1])
		}
	}
	return own
}

// copyEmbedded copies the structs behind the embedded pointers of a path.
func copyEmbedded(v reflect.Value, path []int) {
	for _, i := range path {
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
