package control_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/control"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

// TestSpecificationAgrees checks that the OpenAPI document has exactly the routes, their parameters
// and the members of their JSON.
func TestSpecificationAgrees(t *testing.T) {
	t.Parallel()
	require.Empty(t, differences(document(t), control.Routes()))
}

// TestSpecificationAgreesControl checks that each kind of difference is found, on both sides.
func TestSpecificationAgreesControl(t *testing.T) {
	t.Parallel()
	routes := control.Routes()
	index := func(path, method string) int {
		return slices.IndexFunc(routes, func(r control.Route) bool { return r.Path == path && r.Method == method })
	}
	for _, c := range []struct {
		name   string
		change func(*openapi3.T, []control.Route) []control.Route
		want   string
	}{
		{"a path without a route", func(d *openapi3.T, rs []control.Route) []control.Route {
			d.Paths.Set("/extra", d.Paths.Value("/cost"))
			return rs
		}, "GET /extra: no route"},
		{"a route without a path", func(d *openapi3.T, rs []control.Route) []control.Route {
			d.Paths.Delete("/cost")
			return rs
		}, "GET /cost: not in the document"},
		{"an operation without a route", func(_ *openapi3.T, rs []control.Route) []control.Route {
			i := index("/databases", http.MethodDelete)
			return slices.Delete(rs, i, i+1)
		}, "DELETE /databases: no route"},
		{"a parameter that the route lacks", func(_ *openapi3.T, rs []control.Route) []control.Route {
			rs[index("/cost", http.MethodGet)].Query = nil
			return rs
		}, "GET /cost: parameters"},
		{"a parameter that the document lacks", func(d *openapi3.T, rs []control.Route) []control.Route {
			d.Paths.Value("/clock").Get.Parameters = nil
			return rs
		}, "GET /clock: parameters"},
		{"another request", func(_ *openapi3.T, rs []control.Route) []control.Route {
			rs[index("/lag", http.MethodPut)].In = reflect.TypeFor[control.Reset]()
			return rs
		}, "PUT /lag: request"},
		{"another reply", func(_ *openapi3.T, rs []control.Route) []control.Route {
			rs[index("/lag", http.MethodPut)].Out = nil
			return rs
		}, "PUT /lag: reply"},
		{"a property that is no member", func(d *openapi3.T, rs []control.Route) []control.Route {
			d.Components.Schemas["Clock"].Value.Properties["extra"] = openapi3.NewStringSchema().NewRef()
			return rs
		}, "Clock: properties"},
		{"a member that is no property", func(d *openapi3.T, rs []control.Route) []control.Route {
			delete(d.Components.Schemas["Effect"].Value.Properties, "duration")
			return rs
		}, "Effect: properties"},
		{"another type", func(d *openapi3.T, rs []control.Route) []control.Route {
			d.Components.Schemas["Fault"].Value.Properties["nth"] = openapi3.NewStringSchema().NewRef()
			return rs
		}, "Fault.nth: type"},
		{"a schema without a type", func(d *openapi3.T, rs []control.Route) []control.Route {
			d.Components.Schemas["Extra"] = openapi3.NewObjectSchema().NewRef()
			return rs
		}, "Extra: no type"},
		{"a required member that may be absent", func(d *openapi3.T, rs []control.Route) []control.Route {
			d.Components.Schemas["LimitUse"].Value.Required = []string{"limit", "used", "exceeded", "first"}
			return rs
		}, "LimitUse: required"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := document(t)
			found := differences(d, c.change(d, slices.Clone(routes)))
			require.Contains(t, strings.Join(found, "\n"), c.want)
		})
	}
}

// differences returns the differences between the document and the routes.
func differences(d *openapi3.T, routes []control.Route) (found []string) {
	report := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	operations := map[string]*openapi3.Operation{}
	for path, item := range d.Paths.Map() {
		for method, o := range item.Operations() {
			operations[method+" "+path] = o
		}
	}
	types := map[string]reflect.Type{}
	collect(types, reflect.TypeFor[control.Error]())
	for _, r := range routes {
		name := r.Method + " " + r.Path
		o := operations[name]
		delete(operations, name)
		if o == nil {
			report("%s: not in the document", name)
			continue
		}
		if want, got := parametersOf(&r), documented(o); !slices.Equal(want, got) {
			report("%s: parameters %v, document %v", name, want, got)
		}
		if want, got := nameOf(r.In), requestOf(o); want != got {
			report("%s: request %q, document %q", name, want, got)
		}
		if want, got := nameOf(r.Out), replyOf(o); want != got {
			report("%s: reply %q, document %q", name, want, got)
		}
		collect(types, r.In)
		collect(types, r.Out)
	}
	for name := range operations {
		report("%s: no route", name)
	}
	for name, ref := range d.Components.Schemas {
		if t, ok := types[name]; ok {
			compare(report, name, ref.Value, t)
		} else {
			report("%s: no type", name)
		}
		delete(types, name)
	}
	for name := range types {
		report("%s: no schema", name)
	}
	return found
}

func parametersOf(r *control.Route) []string {
	names := slices.Clone(r.Query)
	for part := range strings.SplitSeq(r.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	if !r.NoDatabase {
		names = append(names, "accessKey", "region")
	}
	slices.Sort(names)
	return names
}

func documented(o *openapi3.Operation) []string {
	var names []string
	for _, p := range o.Parameters {
		names = append(names, p.Value.Name)
	}
	slices.Sort(names)
	return names
}

func requestOf(o *openapi3.Operation) string {
	if o.RequestBody == nil {
		return ""
	}
	return schemaName(o.RequestBody.Value.Content)
}

func replyOf(o *openapi3.Operation) string {
	reply := o.Responses.Value("200")
	if reply == nil {
		return ""
	}
	return schemaName(reply.Value.Content)
}

func schemaName(c openapi3.Content) string {
	media := c.Get("application/json")
	if media == nil {
		return ""
	}
	return strings.TrimPrefix(media.Schema.Ref, "#/components/schemas/")
}

// renamed has the types of other packages whose schema has another name.
var renamed = map[string]string{"Key": "DatabaseKey"}

func nameOf(t reflect.Type) string {
	if t == nil {
		return ""
	}
	if name, ok := renamed[t.Name()]; ok {
		return name
	}
	return t.Name()
}

// collect adds a struct and all structs in its members.
func collect(types map[string]reflect.Type, t reflect.Type) {
	if t == nil {
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		collect(types, t.Elem())
	case reflect.Struct:
		if !strings.HasPrefix(t.PkgPath(), "github.com/trestledb/") || types[nameOf(t)] != nil {
			return
		}
		types[nameOf(t)] = t
		for _, f := range strict.Fields(t) {
			collect(types, f.Type)
		}
	}
}

// compare compares the properties of a schema with the members of a struct.
func compare(report func(string, ...any), name string, s *openapi3.Schema, t reflect.Type) {
	var members, properties, always []string
	for _, f := range strict.Fields(t) {
		members = append(members, f.Name)
		if p := s.Properties[f.Name]; p != nil {
			if want, got := typeOf(f.Type), describedType(p); want != got {
				report("%s.%s: type %s, document %s", name, f.Name, want, got)
			}
		}
		if !f.Optional {
			always = append(always, f.Name)
		}
	}
	for p := range s.Properties {
		properties = append(properties, p)
	}
	slices.Sort(members)
	slices.Sort(properties)
	if !slices.Equal(members, properties) {
		report("%s: properties %v, document %v", name, members, properties)
	}
	required := slices.Sorted(slices.Values(s.Required))
	slices.Sort(always)
	if !slices.Equal(always, required) {
		report("%s: required %v, document %v", name, always, required)
	}
}

// typeOf returns the type of a member, in the words of describedType.
func typeOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return "object"
	case t.String() == "time.Time":
		return "string date-time"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeOf(t.Elem())
	case reflect.Slice:
		return "array of " + typeOf(t.Elem())
	case reflect.Map:
		return "map of " + typeOf(t.Elem())
	case reflect.Struct:
		return nameOf(t)
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Bool:
		return "boolean"
	default:
		return t.Kind().String()
	}
}

func describedType(ref *openapi3.SchemaRef) string {
	s := ref.Value
	switch {
	case ref.Ref != "":
		return strings.TrimPrefix(ref.Ref, "#/components/schemas/")
	case s.Type.Is("array"):
		return "array of " + describedType(s.Items)
	case s.Type.Is("object") && s.AdditionalProperties.Schema != nil:
		return "map of " + describedType(s.AdditionalProperties.Schema)
	case s.Format != "":
		return s.Type.Slice()[0] + " " + s.Format
	default:
		return s.Type.Slice()[0]
	}
}
