package entity

import (
	"errors"
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
)

// Current is the item that a failed condition met, as the service reports it at no cost: what a caller needs to decide anew without
// reading again. It is false where err is no such failure, where there was no item, and where the item is not a T.
func Current[T any](err error) (T, bool) {
	var e *OpError
	var item, zero T
	if !errors.As(err, &e) || e.plan == nil || e.plan.Type != reflect.TypeFor[T]() || !e.plan.Owns(e.met) {
		return zero, false
	}
	if err := e.plan.Decode(e.met, codec.PtrTo(&item)); err != nil {
		return zero, false
	}
	return item, true
}
