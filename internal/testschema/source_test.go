package testschema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
)

// TestSchemas makes schemas of text, values of their types, and items.
func TestSchemas(t *testing.T) {
	t.Parallel()
	testdriven.Walk(t, "testdata", func(t *testing.T, file string) {
		t.Helper()
		var schema *core.Schema
		testdriven.Run(t, file, func(c *testdriven.Case) string {
			var err error
			switch c.Command {
			case "schema":
				var s *core.Schema
				if s, err = (testschema.Source{}).Schema(c.Input); err == nil {
					schema = s
					return describe(s)
				}
			case "new":
				var p *core.Plan
				if p, err = testschema.Plan(schema, c.Value("type")); err == nil {
					var v any
					if v, err = testschema.New(p, c.Input); err == nil {
						text, _ := json.Marshal(v)
						return string(text)
					}
				}
			case "item":
				var item map[string]types.AttributeValue
				if item, err = testschema.Item(c.Input); err == nil {
					return testschema.ItemText(item)
				}
			case "cond":
				_, err = testschema.Cond(schema.Plans[0], c.Input)
			case "change":
				_, err = testschema.Change(schema.Plans[0], c.Input)
			default:
				t.Fatalf("%s: unknown command %s", c.Pos, c.Command)
			}
			return "error: " + err.Error()
		})
	})
}

func describe(s *core.Schema) string {
	var b strings.Builder
	for _, x := range s.Indexes {
		fmt.Fprintf(&b, "%s %v %v local=%t keysonly=%t include=%v\n", x.Name, x.Partition, x.Sort, x.Kind == trestle.LocalIndex, x.KeysOnly, x.Include)
	}
	for _, p := range s.Plans {
		b.WriteString(p.Name)
		for _, a := range p.Attrs {
			fmt.Fprintf(&b, " %s=%s", a.Name, a.Template)
		}
		for _, f := range p.Shape.Fields() {
			fmt.Fprintf(&b, " %s:%s", f.Name, f.Wire())
		}
		b.WriteString("\n")
	}
	return b.String()
}
