package define_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/keys"
)

// The markers of the tests, in place of those of package entity.
type (
	Key    struct{}
	Index  struct{}
	Unique struct{}
)

var markers = define.Markers{Key: reflect.TypeFor[Key](), Index: reflect.TypeFor[Index](), Unique: reflect.TypeFor[Unique]()}

// definition is a configuration with its types.
type definition struct {
	config trestle.Config
	types  []reflect.Type
	specs  map[reflect.Type]*trestle.Spec
}

func typesOf(values ...any) []reflect.Type {
	types := make([]reflect.Type, len(values))
	for i, v := range values {
		types[i] = reflect.TypeOf(v)
	}
	return types
}

// compile compiles a definition as opening a schema does.
func (d definition) compile() (*core.Schema, []trestle.Issue) {
	s, issues := define.Schema(d.config)
	for _, t := range d.types {
		plan, more := define.Compile(s, t, markers, d.specs[t])
		issues = append(issues, more...)
		if plan != nil {
			s.Add(plan)
		}
	}
	return s, define.Merge(append(issues, define.Validate(s)...))
}

func compiled(t *testing.T, config trestle.Config, values ...any) *core.Schema {
	t.Helper()
	s, issues := definition{config: config, types: typesOf(values...)}.compile()
	require.Empty(t, issues, "%s", textOf(issues))
	return s
}

func layout(text string) keys.Format {
	f, err := keys.Layout(text)
	if err != nil {
		panic(err)
	}
	return f
}

func attribute(name string, t keys.AttrType) core.Attribute {
	return core.Attribute{Name: name, Type: t}
}

func specOf(value any, spec trestle.Spec) map[reflect.Type]*trestle.Spec {
	return map[reflect.Type]*trestle.Spec{reflect.TypeOf(value): &spec}
}

// textOf returns the text of a definition error with the issues.
func textOf(issues []trestle.Issue) string {
	return (&trestle.DefinitionError{Issues: issues}).Error()
}
