package define_test

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/trestledb/trestle/internal/core"
)

// describe formats plans as lines that show the source of each attribute.
func describe(s *core.Schema) string {
	var b strings.Builder
	for _, p := range s.Plans {
		fmt.Fprintf(&b, "%s\n", p.Name)
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, a := range p.Attrs {
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", a.Name, a.Type, a.Template, from(a))
		}
		_ = w.Flush()
		for _, x := range p.Indexes {
			fmt.Fprintf(&b, "  on %s: %s / %s", x.Index.Name, names(x.Key.Partition), names(x.Key.Sort))
			if x.Access != nil {
				fmt.Fprintf(&b, ", as %s", x.Access.Name)
				if x.Access.Shared {
					b.WriteString(", shared")
				}
			}
			b.WriteString("\n")
		}
		b.WriteString(fieldsOf(p))
	}
	return b.String()
}

// from describes the source of a key attribute and the fields that are decoded from it.
func from(a *core.KeyAttr) string {
	origin := "rendered"
	if a.Field != nil {
		origin = "is the field " + a.Field.GoName
		if a.Field.OmitZero {
			origin += ", left out when empty"
		}
	}
	for i, back := range a.Parse {
		if back {
			origin += ", gives back " + a.Members[i].GoName
		}
	}
	return origin
}

func names(attrs []*core.KeyAttr) string {
	var out []string
	for _, a := range attrs {
		out = append(out, a.Name)
	}
	return strings.Join(out, ", ")
}

func fieldsOf(p *core.Plan) string {
	var out []string
	for _, role := range core.Roles() {
		if role.Field == nil {
			continue
		}
		if f := role.Field(&p.FieldRoles); f != nil {
			out = append(out, role.Name+" in "+f.GoName)
		}
	}
	for _, f := range p.Shape.Fields() {
		if f.KeyOnly {
			out = append(out, f.GoName+" in keys only")
		}
	}
	if out == nil {
		return ""
	}
	return "  " + strings.Join(out, "; ") + "\n"
}
