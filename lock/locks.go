package lock

import (
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/libitem"
)

// Locks are the locks of a family. They are safe for concurrent use. [New] returns them.
//
// Every error is a [*trestle.OpError] or wraps one. A mistake of the configuration or of the
// arguments is [trestle.ErrInvalid]; nothing was sent then. The observer is notified of each read
// and write that a method sends.
type Locks struct {
	family string
	config Config
	exec   *exec.Config
	schema *core.Schema
	plan   *core.Plan // of the items: only for errors and the observer
	err    error      // why the locks cannot be used
}

// New returns the locks of a family on a table. Several families can be on one table, if their
// names differ. On the handle of a tenant, the locks belong to the tenant, and [Lease.Check] can be
// in a transaction with other operations of that handle only. On the table itself, it can be in one
// with repositories of the table itself only; their entities name their tenants. The value is
// cheap.
//
// New never fails and sends nothing. If the configuration is invalid, each method returns
// [trestle.ErrInvalid] with all mistakes.
func New(table *entity.Table, family string, c Config) *Locks {
	t := hooks.TableOf(table)
	l := &Locks{family: family, config: c.withDefaults(), exec: t.Config, schema: t.Schema, err: t.Err}
	if l.err == nil {
		l.plan = &core.Plan{Name: family, Schema: t.Schema}
		l.err = l.config.check(family, t.Config.Tenant.ID(), t.Schema)
	}
	return l
}

// ready reports why a method cannot be called for a name.
func (l *Locks) ready(operation, name string) error {
	if l == nil || l.plan == nil && l.err == nil {
		return new(Locks).failed(operation, errNoLocks)
	}
	if l.err != nil {
		return l.failed(operation, l.err)
	}
	var wrong errs.Problems
	wrong.AddAt("name", libitem.CheckText("the name of the lock", name))
	if len(wrong) == 0 {
		_, err := l.key(name)
		wrong.AddErr("name", err)
	}
	return l.failed(operation, wrong.Err())
}
