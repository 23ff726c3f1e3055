package repo

import (
	"errors"
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
)

// DecodeExisting decodes the item of an error into the entity that item points to.
func DecodeExisting(err error, item any) bool {
	var f *exec.ConditionFailure
	if !errors.As(err, &f) || f.Plan == nil || f.Plan.Type != reflect.TypeOf(item).Elem() {
		return false
	}
	row := core.NewRow(f.Existing)
	return f.Plan.Matches(row) && row.Decode(f.Plan, codec.PtrTo(item)) == nil
}
