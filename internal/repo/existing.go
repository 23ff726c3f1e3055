package repo

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
)

// DecodeExisting decodes the first item of the error that has the type of the entity, into the
// entity that item points to.
func DecodeExisting(err error, item any) bool {
	switch e := any(err).(type) {
	case nil:
		return false
	case *exec.ConditionFailure:
		if decodeExisting(e, item) {
			return true
		}
	case interface{ Unwrap() error }:
		return DecodeExisting(e.Unwrap(), item)
	case interface{ Unwrap() []error }:
		for _, wrapped := range e.Unwrap() {
			if DecodeExisting(wrapped, item) {
				return true
			}
		}
	}
	return false
}

func decodeExisting(f *exec.ConditionFailure, item any) bool {
	if f.Plan == nil || f.Plan.Type != reflect.TypeOf(item).Elem() {
		return false
	}
	row := core.NewRow(f.Existing)
	return !f.Expired && f.Plan.Admits(row) && row.Decode(f.Plan, codec.PtrTo(item)) == nil
}
