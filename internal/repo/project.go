package repo

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/expr"
)

// Projection is a compiled projection of an entity type to a smaller struct. A nil Projection is
// the whole entity.
type Projection struct {
	typ        *Type // nil: not declared
	late       bool  // declared after the schema was opened
	parts      []part
	fields     []*codec.Field
	expression string
	names      map[string]string // by placeholder
}

// part is a field of a projection, by its reflect index in the entity and in the projection.
type part struct{ from, to []int }

// Project compiles the projection of a type to the struct type p.
func Project(t *Type, p reflect.Type) (*Projection, []define.Issue) {
	plan := t.Plan
	issue := func(field, tag, reason, hint string) define.Issue {
		return define.Issue{Issue: trestle.Issue{Type: p.String(), Entity: plan.Name, Field: field, Tag: tag, Offset: -1, Reason: reason, Hint: hint}}
	}
	if p.Kind() != reflect.Struct {
		return nil, []define.Issue{issue("", "", "a projection is a struct type", "")}
	}
	shape, bad := codec.Compile(p)
	var issues []define.Issue
	for _, b := range bad {
		issues = append(issues, issue(b.Field, codec.TagKey, b.Reason, b.Hint))
	}
	m := &Projection{typ: t}
	a := newAttributes(plan)
	for _, to := range shape.Fields() {
		from := plan.Shape.ByName(to.Name)
		switch {
		case from == nil:
			issues = append(issues, issue(to.GoName, codec.TagKey, fmt.Sprintf("%s has no attribute %q", plan.Type, to.Name), "it has "+listed(plan)))
		case from == plan.Rest:
			issues = append(issues, issue(to.GoName, codec.TagKey, fmt.Sprintf("%s keeps unknown attributes, and these cannot be asked for", from.GoName), "drop the field"))
		case from.Node.Type != to.Node.Type:
			issues = append(issues, issue(to.GoName, "", fmt.Sprintf("it has the type %s, and in %s the type %s", to.Node.Type, plan.Type, from.Node.Type), "give both the same type"))
		default:
			m.parts = append(m.parts, part{from: from.Index, to: to.Index})
			m.fields = append(m.fields, from)
			a.field(from)
		}
	}
	if len(m.parts) == 0 && len(issues) == 0 {
		issues = append(issues, issue("", "", "the projection has no fields", "read the whole "+plan.Name+", or give it some"))
	}
	if plan.TTL != nil {
		a.field(plan.TTL) // reads drop expired items
	}
	m.expression, m.names = a.expression()
	if n := len(m.expression); n > expr.MaxExpression {
		issues = append(issues, issue("", "", fmt.Sprintf("the projection is %d bytes long as an expression, and 4 KB are the most", n), "read the whole "+plan.Name))
	}
	return m, issues
}

// listed lists the attributes of a plan.
func listed(plan *core.Plan) string {
	var names []string
	for _, f := range plan.Shape.Fields() {
		if f != plan.Rest {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

// attributes collects the attributes that a projection reads.
type attributes struct {
	plan  *core.Plan
	names []string
	seen  map[string]bool
}

// newAttributes starts with the key attributes and the type attribute.
func newAttributes(plan *core.Plan) *attributes {
	a := &attributes{plan: plan, seen: map[string]bool{}}
	s := plan.Schema
	a.add(s.Partition.Name)
	a.add(s.Sort.Name)
	a.add(s.TypeAttr)
	return a
}

func (a *attributes) add(name string) {
	if name != "" && !a.seen[name] {
		a.seen[name] = true
		a.names = append(a.names, name)
	}
}

// field adds the attributes that hold a field.
func (a *attributes) field(f *codec.Field) {
	for _, name := range a.plan.StoredIn(f) {
		a.add(name)
	}
}

func (a *attributes) expression() (string, map[string]string) {
	b := expr.NewBuilder()
	marks := make([]string, len(a.names))
	for i, name := range a.names {
		marks[i] = b.Name(name)
	}
	return strings.Join(marks, ", "), b.Names()
}

// Copy copies the parts of an entity.
func (m *Projection) Copy(whole, to reflect.Value) {
	for _, p := range m.parts {
		v, err := whole.FieldByIndexErr(p.from)
		// A zero value, or a value in a nil embedded struct, stays zero in the projection.
		if err == nil && !v.IsZero() {
			reach(to, p.to).Set(v)
		}
	}
}

// reach returns a field. It allocates the embedded structs on the way.
func reach(v reflect.Value, index []int) reflect.Value {
	for i, x := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v
}
