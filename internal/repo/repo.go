package repo

import (
	"reflect"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/coalesce"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/hooks"
)

// View is how a repository calls DynamoDB: the table and the caller's options.
type View struct {
	Exec      exec.Config
	Schema    *core.Schema  // of the opened table; nil: none is open
	Cursors   *cursor.Codec // nil: opened without cursors
	ReadFirst bool
	AsRead    bool // examples of updates are items as they were read
	Strong    bool
	Expired   bool // expired items exist, for reads and for writes
	Recounts  bool // updates may set counts
	// Err is why the handle of a tenant cannot be used.
	Err error

	reads *coalesce.Reads // of the opened table
}

// NewView returns the view of a table that is opened now.
func NewView(s *core.Schema, config exec.Config) View {
	return View{Schema: s, Exec: config, reads: &coalesce.Reads{}}
}

// Coalesce lets Gets share requests.
func (v *View) Coalesce(window time.Duration) {
	if v.reads != nil {
		v.Exec.Coalescer = v.reads.Within(window)
	}
}

// expiry returns which items of a type have expired at this moment.
func (v *View) expiry(p *core.Plan) core.Expiry {
	if v.Expired {
		return core.Expiry{}
	}
	return core.ExpiryOf(p, v.Exec.Now)
}

// sees reports whether a read of one item of a type returns the item under its key.
func (v *View) sees(p *core.Plan, row core.Row) bool {
	wanted := core.Wanted{Type: p, Keyed: true, Expiry: v.expiry(p)}
	_, sight := wanted.Visible(row)
	return sight == core.Visible
}

// hidesExpired reports whether reads drop expired items of a type.
func (v *View) hidesExpired(p *core.Plan) bool { return !v.Expired && p.TTL != nil }

// expiryAt returns which items have expired at a given time, of all types that have a time to live.
func (v *View) expiryAt(now time.Time) core.Expiry {
	if v.Expired {
		return core.Expiry{}
	}
	return core.ExpiryAt(now)
}

// now returns the current time for timestamps, without the monotonic part.
func (v *View) now() time.Time { return v.Exec.Now().UTC().Round(0) }

// Repo is a repository: an entity type on a table.
type Repo struct {
	view *View
	typ  *Type
}

// New returns the repository of a type. The view is nil without a table.
func New(v *View, t *Type) *Repo { return &Repo{v, t} }

// parts returns the repository, or an empty one for nil.
func (r *Repo) parts() Repo {
	if r == nil {
		return Repo{}
	}
	return *r
}

// Public returns the entity.Type of the repository, or nil if it has none.
func (r *Repo) Public() any {
	if t := r.parts().typ; t != nil {
		return t.Public
	}
	return nil
}

// With returns a repository whose view is changed by f.
func (r *Repo) With(f func(*View)) *Repo {
	if r == nil || r.view == nil {
		return r
	}
	v := *r.view
	f(&v)
	return &Repo{&v, r.typ}
}

// Strong returns a repository with strongly consistent reads.
func (r *Repo) Strong() *Repo { return r.With(func(v *View) { v.Strong = true }) }

// Source returns what queries need of the repository.
func (r *Repo) Source() hooks.Source {
	at := r.parts()
	if err := at.ready(); err != nil {
		return hooks.Source{Err: err}
	}
	return hooks.Source{Config: &at.view.Exec, Plan: at.typ.Plan, Strong: at.view.Strong, Expired: at.view.Expired, Cursors: at.view.Cursors}
}

// ready reports why the repository cannot be used.
func (r Repo) ready() error {
	switch {
	case r.view == nil || r.typ == nil || r.view.Schema == nil:
		return errNoTable
	case r.view.Schema != r.typ.Schema:
		return errOtherTable
	case r.typ.Late:
		return errTooLate
	case r.view.Err != nil:
		return r.view.Err
	}
	return r.view.Exec.Tenant.Usable(r.typ.Plan)
}

// SetTenant sets the tenant of the handle in the entity that e points to, if it has none. An entity
// that the handle refuses stays as it is.
func (r *Repo) SetTenant(e any) {
	at := r.parts()
	if at.ready() != nil {
		return
	}
	v := reflect.ValueOf(e).Elem()
	if own, err := at.view.Exec.Tenant.Bind(at.typ.Plan, v); err == nil {
		v.Set(own)
	}
}

// invalid converts the reason why nothing is sent to the error of an operation; nil stays nil.
func (r Repo) invalid(operation string, outcome trestle.Outcome, err error) error {
	if err == nil {
		return nil
	}
	e := Invalid(operation, r.typ, outcome, err)
	if r.view != nil {
		e.Table = r.view.Exec.Table
	}
	return e
}

// Invalid returns the error of an operation that sends nothing.
func Invalid(operation string, t *Type, outcome trestle.Outcome, err error) *trestle.OpError {
	e := &trestle.OpError{Op: operation, Outcome: outcome}
	e.Kind, e.Err = errs.Classify(err)
	if t != nil && t.Plan != nil {
		e.Entity = t.Plan.Name
	}
	return e
}
