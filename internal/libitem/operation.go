package libitem

import (
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/repo"
)

// InvalidOperation returns an operation that fails.
func InvalidOperation(err error) entity.Operation {
	return Operation(new(exec.Config), &core.Plan{Schema: new(core.Schema)}, repo.Addition{
		Plan: func(bool) (op.Operation, error) { return op.Operation{}, err },
	})
}

// none is the type argument of operations without an entity.
type none struct{}

// Operation returns an operation of package entity.
func Operation(config *exec.Config, plan *core.Plan, a repo.Addition) entity.Operation {
	r := repo.New(&repo.View{Exec: *config, Schema: plan.Schema}, &repo.Type{Schema: plan.Schema, Plan: plan})
	return (*entity.Op[none])(r.AddOp(a))
}
