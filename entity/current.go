package entity

import (
	"errors"
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
)

// Current returns the stored item that made the condition of a write fail. The service returns the
// item with the failure at no cost, so the caller need not read it again. Current returns false if
// err is no such failure, if no item was stored, or if the item is not a T.
func Current[T any](err error) (T, bool) {
	var e *OpError
	var item, zero T
	if !errors.As(err, &e) || e.plan == nil || e.plan.Type != reflect.TypeFor[T]() || !e.plan.Matches(e.met) {
		return zero, false
	}
	if err := e.plan.Decode(e.met, codec.PtrTo(&item)); err != nil {
		return zero, false
	}
	return item, true
}
