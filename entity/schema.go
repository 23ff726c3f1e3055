package entity

import (
	"reflect"
	"sync"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
)

// Schema is the set of entity types that share a table, with its key attributes and indexes. It is declared once, knows no client, and
// may be opened on any number of tables; [NewSchema] makes it. From the first time that it is opened it takes no more types. It is
// safe for concurrent use.
type Schema struct {
	core     *core.Schema
	observer Observer

	mu      sync.Mutex
	faults  []define.Fault // of the configuration and of each declaration, in their order
	judged  bool           // the verdict is about all that is declared
	verdict error
	opened  bool
}

// NewSchema starts a schema. What is wrong with the configuration is said by [Schema.Err] and [Schema.Open], with all other faults.
func NewSchema(c Config) *Schema {
	s := &Schema{observer: c.Observer}
	s.core, s.faults = define.Schema(c.internal())
	return s
}

// Err says everything that is wrong with the schema, its types and its projections: a [*DefinitionError], or nil. It is what Open checks; a
// test of a service's own schema needs no more than this.
func (s *Schema) Err() error {
	if s == nil || s.core == nil {
		return verdict([]define.Fault{{Field: "Schema", Offset: -1, Reason: "the schema is empty", Hint: "make it with entity.NewSchema"}})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.judge()
}

// judge finds what only all types together show. An opened schema has been judged to be sound, and changes no more.
func (s *Schema) judge() error {
	if !s.judged {
		faults := append(s.faults[:len(s.faults):len(s.faults)], define.Seal(s.core)...)
		s.verdict, s.judged = verdict(faults), true
	}
	return s.verdict
}

// open judges the schema and closes it for further declarations.
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

// define compiles a type into the schema. One that comes too late is kept out of it: calls on its tables are reading it.
func (s *Schema) define(t reflect.Type, spec *define.Spec) *definition {
	if s == nil || s.core == nil {
		return &definition{schema: s}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened {
		return &definition{schema: s, late: true}
	}
	plan, faults := define.Compile(s.core, t, markers, spec)
	s.faults = append(s.faults, faults...)
	if plan != nil {
		s.faults = append(s.faults, s.again(plan)...)
		s.core.Add(plan)
	}
	s.judged = false
	return &definition{schema: s, plan: plan}
}

// again is the fault of a Go type that is defined already under another name: what reads items as Go values could not tell them apart.
func (s *Schema) again(p *core.Plan) []define.Fault {
	for _, q := range s.core.Plans {
		if q.Type == p.Type && q.Name != p.Name {
			return []define.Fault{{
				Type: p.Type.String(), Entity: p.Name, Tag: "type", Text: p.Name, Offset: -1,
				Reason: "the Go type is defined already, as " + q.Name, Hint: "give each entity a Go type of its own",
			}}
		}
	}
	return nil
}

// note adds the faults of a declaration that is no type. It is false where the schema is closed.
func (s *Schema) note(faults []define.Fault) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened {
		return false
	}
	s.faults, s.judged = append(s.faults, faults...), false
	return true
}

var markers = define.Markers{Key: reflect.TypeFor[Key](), Index: reflect.TypeFor[Index]()}

// definition is a type as its schema knows it.
type definition struct {
	schema *Schema
	plan   *core.Plan // nil: not a struct, late, or of an empty schema
	late   bool       // it was defined after the schema was opened
}

// usable reports why the type cannot be used by itself.
func (d *definition) usable() error {
	switch {
	case d == nil:
		return errNoType
	case d.late:
		return errTooLate
	default:
		return d.schema.Err()
	}
}
