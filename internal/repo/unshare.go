package repo

import (
	"reflect"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/tenancy"
)

// copied returns a copy of an entity for a write to stamp, so that the stamps do not change the
// caller's entity before the write succeeds.
func copied(p *core.Plan, entity reflect.Value) reflect.Value {
	return tenancy.Copy(p, entity, p.Version, p.Created, p.Updated)
}
