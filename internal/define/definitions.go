package define

import (
	"reflect"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
)

// Definitions are a schema and the issues of its configuration and of each definition. The first
// successful Open closes them, because calls on tables read the schema concurrently. Definitions
// are safe for concurrent use.
type Definitions struct {
	Schema  *core.Schema
	markers Markers

	mu        sync.Mutex
	issues    []Issue                  // in the order of the definitions
	checks    []func() []trestle.Issue // of the complete schema
	validated bool                     // err is that of all definitions
	err       error
	opened    bool
}

// New returns the definitions of a configuration, without types.
func New(c trestle.Config, m Markers) *Definitions {
	d := &Definitions{markers: m}
	d.Schema, d.issues = Schema(c)
	return d
}

// Err validates the definitions. It returns a *trestle.DefinitionError with all issues, or nil.
func (d *Definitions) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.validate()
}

// Open validates the definitions, and closes them if they are valid.
func (d *Definitions) Open() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.validate()
	d.opened = d.opened || err == nil
	return err
}

func (d *Definitions) validate() error {
	if !d.validated {
		issues := append(d.issues[:len(d.issues):len(d.issues)], Validate(d.Schema)...)
		for _, check := range d.checks {
			for _, i := range check() {
				issues = append(issues, Issue{Issue: i})
			}
		}
		d.err, d.validated = Err(issues), true
	}
	return d.err
}

// Define adds a type to the schema. The plan is nil if the type is not a struct. Define returns
// false if the definitions are closed.
func (d *Definitions) Define(t reflect.Type, spec *trestle.Spec) (plan *core.Plan, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened {
		return nil, false
	}
	plan, issues := Compile(d.Schema, t, d.markers, spec)
	if plan != nil {
		issues = append(issues, renamed(d.Schema, plan)...)
		d.Schema.Add(plan)
	}
	d.issues, d.validated = append(d.issues, issues...), false
	return plan, true
}

// renamed returns an issue if the Go type is already defined under another name, because reads that
// return Go values could not distinguish the two.
func renamed(s *core.Schema, p *core.Plan) []Issue {
	for _, q := range s.Plans {
		if q.Type == p.Type && q.Name != p.Name {
			return []Issue{typeIssue(p, "", "type", p.Name, "the Go type is defined already, as "+q.Name, "give each entity a Go type of its own")}
		}
	}
	return nil
}

// Add adds the issues of a projection. It returns false if the definitions are closed.
func (d *Definitions) Add(issues []Issue) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened {
		return false
	}
	d.issues, d.validated = append(d.issues, issues...), false
	return true
}

// Later adds a check of the complete schema, which may read its plans. It returns false if the
// definitions are closed.
func (d *Definitions) Later(check func() []trestle.Issue) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened {
		return false
	}
	d.checks, d.validated = append(d.checks, check), false
	return true
}
