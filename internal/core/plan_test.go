package core_test

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
	"github.com/trestledb/trestle/keys"
)

func ptrTo(v any) codec.Ptr { return codec.PtrTo(v) }

// schemaText returns the facts of a schema.
func schemaText(s *core.Schema) string {
	var out strings.Builder
	out.WriteString("partition" + attributesText(s.PartitionKey()) + ", sort" + attributesText(s.SortKey()) + "\nkeys")
	for _, a := range s.KeyAttributes() {
		out.WriteString(attributesText([]core.Attribute{a}))
	}
	for _, x := range s.Indexes {
		fmt.Fprintf(&out, "\nindex %s: all=%t position%s found=%t", x.Name, x.All(), attributesText(x.Position), s.Index(x.Name) == x)
	}
	fmt.Fprintf(&out, "\nno such index: %t", s.Index("missing") == nil)
	return out.String()
}

func attributesText(list []core.Attribute) (text string) {
	for _, a := range list {
		text += " " + a.Name + ":" + string(a.Type)
	}
	return text
}

// planText returns the facts of a type: its key attributes, the roles and places of its fields, and
// its indexes.
func planText(p *core.Plan) string {
	var out strings.Builder
	for _, a := range p.Attrs {
		fmt.Fprintf(&out, "key %s %s rendered=%t table=%t", a.Name, a.Template, a.Rendered(), p.Table.Has(a))
		for i, m := range a.Members {
			fmt.Fprintf(&out, " %s(preserved=%t)", m.Name, a.Preserves(i))
		}
		if p.KeyAttr(a.Name) != a {
			out.WriteString(" not found by its name")
		}
		out.WriteByte('\n')
	}
	for _, f := range p.Shape.Fields() {
		fmt.Fprintf(&out, "field %s stored in %s", f.Name, strings.Join(p.StoredIn(f), ","))
		for _, fact := range []struct {
			name  string
			holds bool
		}{{"table key", p.TableMember(f)}, {"index key", p.IndexMember(f)}, {"native", p.Native(f) != nil}, {"system", p.Schema.IsSystem(f.Name)}} {
			if fact.holds {
				out.WriteString(", " + fact.name)
			}
		}
		for _, r := range core.Roles() {
			if r.Field != nil && r.Field(&p.FieldRoles) == f {
				out.WriteString(", role " + r.Name)
			}
		}
		out.WriteByte('\n')
	}
	for _, x := range p.Indexes {
		key, ok := p.KeyOn(x.Index)
		fmt.Fprintf(&out, "index %s constant=%t found=%t\n", x.Index.Name, p.Constant(x), ok && len(key.Partition) == len(x.Key.Partition))
	}
	table, _ := p.KeyOn(nil)
	_, other := p.KeyOn(&core.Index{})
	fmt.Fprintf(&out, "shared=%t identified by key=%t other attribute=%t other index=%t table=%t\n",
		p.Shared, p.KeyIdentifiesType(), p.KeyAttr("missing") != nil, other, table.Partition[0] == p.Table.Partition[0])
	return out.String()
}

// signature returns the signature of a schema and of a key of a type.
func (f *textFile) signature(c *testdriven.Case, p *core.Plan) string {
	key, ok := p.KeyOn(f.schema.Index(c.Value("on")))
	if !ok {
		return "not in the index"
	}
	return fmt.Sprintf("%q\n%q", f.schema.Signature(), key.Signature(f.schema))
}

// typeText returns what is known of an item by its type attribute and its key.
func (f *textFile) typeText(row core.Row) string {
	text := "no type"
	if p := f.schema.PlanOf(row); p != nil {
		text = p.Name
		if first, _ := testschema.Plan(f.schema, p.Name); first != p {
			text += ", not the first of its name"
		}
	}
	text += "; key matches"
	for _, p := range f.schema.Plans {
		if p.MatchesKey(row) {
			text += " " + p.Name
		}
	}
	text += "; read as"
	for _, p := range f.schema.Plans {
		if p.Owns(row) {
			text += " " + p.Name
		}
	}
	text += "; written as"
	for _, p := range f.schema.Plans {
		if p.Admits(row) {
			text += " " + p.Name
		}
	}
	return text + fmt.Sprintf("; %s; %q", testschema.ItemText(f.schema.KeyOf(row)), f.schema.Identity(row))
}

// storedText returns a field of an entity after the entity is stored and decoded.
func storedText(c *testdriven.Case, p *core.Plan, object string) string {
	v, err := testschema.New(p, object)
	require.NoError(c.T, err, c.Pos)
	f := p.Shape.ByName(c.Value("field"))
	require.NotNil(c.T, f, c.Pos)
	value, err := p.Value(f, ptrTo(v))
	if err != nil {
		return errorText(p, err)
	}
	return testschema.MemberText(value)
}

// renderedText returns the key attributes of an entity.
func renderedText(c *testdriven.Case, p *core.Plan, object string) string {
	v, err := testschema.New(p, object)
	require.NoError(c.T, err, c.Pos)
	var list []string
	for _, a := range p.Attrs {
		var values []keys.Value
		for _, f := range a.Members {
			value, err := p.Value(f, ptrTo(v))
			require.NoError(c.T, err, c.Pos)
			values = append(values, value)
		}
		av, err := a.Render(values)
		if err != nil {
			list = append(list, errorText(p, err))
			continue
		}
		list = append(list, a.Name+" = "+testschema.ValueText(av))
	}
	return strings.Join(list, ", ")
}
