package entity

import (
	"reflect"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/repo"
)

// Schema is the set of entity types of a table, with its key attributes and indexes. It has no
// client, so a program declares it once and can open it on any number of tables. [NewSchema]
// returns it. After the first successful Open it accepts no more types. It is safe for concurrent
// use.
type Schema struct {
	core     *core.Schema
	observer trestle.Observer

	mu      sync.Mutex
	issues  []define.Issue // of the configuration and of each declaration, in order
	judged  bool           // verdict covers all declarations
	verdict error
	opened  bool
}

// NewSchema returns a schema. [Schema.Err] and [Schema.Open] report mistakes of the configuration
// with all other mistakes.
func NewSchema(c Config) *Schema {
	s := &Schema{observer: c.Observer}
	s.core, s.issues = define.Schema(c.internal())
	return s
}

// Err returns a [*DefinitionError] with all mistakes of the schema, its types and its projections,
// or nil. Open does the same validation; it is also enough as the test of an application's schema.
func (s *Schema) Err() error {
	if s == nil || s.core == nil {
		return verdict([]define.Issue{{Field: "Schema", Offset: -1, Reason: "the schema is empty", Hint: "make it with entity.NewSchema"}})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.judge()
}

// judge validates the rules that involve all types. An opened schema is valid and does not change.
func (s *Schema) judge() error {
	if !s.judged {
		issues := append(s.issues[:len(s.issues):len(s.issues)], define.Validate(s.core)...)
		s.verdict, s.judged = verdict(issues), true
	}
	return s.verdict
}

// open validates the schema and closes it for further declarations.
func (s *Schema) open() error {
	if s == nil || s.core == nil {
		return s.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.judge()
	s.opened = s.opened || err == nil
	return err
}

// define compiles a type into the schema. It does not add a type after Open, because calls on the
// schema's tables read it concurrently.
func (s *Schema) define(t reflect.Type, spec *define.Spec) *repo.Type {
	if s == nil || s.core == nil {
		return s.typ(nil, false)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened {
		return s.typ(nil, true)
	}
	plan, issues := define.Compile(s.core, t, markers, spec)
	s.issues = append(s.issues, issues...)
	if plan != nil {
		s.issues = append(s.issues, s.again(plan)...)
		s.core.Add(plan)
	}
	s.judged = false
	return s.typ(plan, false)
}

// again returns an issue if the Go type is already defined under another name, because reads that
// return Go values could not distinguish the two.
func (s *Schema) again(p *core.Plan) []define.Issue {
	for _, q := range s.core.Plans {
		if q.Type == p.Type && q.Name != p.Name {
			return []define.Issue{{
				Type: p.Type.String(), Entity: p.Name, Tag: "type", Text: p.Name, Offset: -1,
				Reason: "the Go type is defined already, as " + q.Name, Hint: "give each entity a Go type of its own",
			}}
		}
	}
	return nil
}

// note adds the issues of a projection. It returns false if the schema is closed.
func (s *Schema) note(issues []define.Issue) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened {
		return false
	}
	s.issues, s.judged = append(s.issues, issues...), false
	return true
}

var markers = define.Markers{Key: reflect.TypeFor[Key](), Index: reflect.TypeFor[Index]()}

// typ returns a declared type.
func (s *Schema) typ(p *core.Plan, late bool) *repo.Type {
	t := &repo.Type{Plan: p, Late: late, Valid: s.Err, Note: s.note}
	if s != nil {
		t.Schema = s.core
	}
	return t
}
