package schemadoc_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// TestDocuments runs the files in testdata. They have these commands, which use the last schema:
//
//	schema      declares a schema
//	edit        changes it
//	markdown    its chart; with only=TEXT some of its rows
//	text        its description; with only=TEXT some of its lines
//	parse       parses its description after edits
func TestDocuments(t *testing.T) {
	t.Parallel()
	source := testschema.Source{
		Formats: map[string]keys.Format{"digits": digits},
		Types:   map[string]reflect.Type{"room": reflect.TypeFor[room](), "list": reflect.TypeFor[list]()},
	}
	testdriven.Walk(t, "testdata", func(t *testing.T, file string) {
		t.Helper()
		var declared string
		var s *core.Schema
		testdriven.Run(t, file, func(c *testdriven.Case) string {
			var err error
			switch c.Command {
			case "schema", "edit":
				if c.Command == "edit" {
					declared = c.Edit(declared)
				} else {
					declared = c.Input
				}
				s, err = source.Schema(declared)
				require.NoError(t, err, c.Pos)
			case "markdown":
				return only(c, schemadoc.Markdown(s))
			case "text":
				_, err = schemadoc.Parse(schemadoc.Text(s))
				require.NoError(t, err, c.Pos)
				return only(c, schemadoc.Text(s))
			case "parse":
				if _, err := schemadoc.Parse(c.Edit(schemadoc.Text(s))); err != nil {
					return "error: " + err.Error()
				}
				return "valid"
			default:
				t.Fatalf("%s: unknown command %s", c.Pos, c.Command)
			}
			return ""
		})
	})
}

// only returns the lines of a document that contain the text of the argument only.
func only(c *testdriven.Case, document string) string {
	var b strings.Builder
	for line := range strings.Lines(document) {
		if strings.Contains(line, c.Value("only")) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// digits is a custom format for all numbers. Its text depends on the kind.
var digits = keys.Format{
	Kinds:  []keys.Kind{keys.KindInt, keys.KindUint, keys.KindFloat},
	Encode: func(v keys.Value) (string, error) { return fmt.Sprint(v.Kind(), v.Int()), nil },
	Decode: func(string) (keys.Value, error) { return keys.Value{}, nil },
}

// Types that contain themselves.
type (
	room struct {
		Size  int              `dynamodbav:"size"`
		Next  *room            `dynamodbav:"next"`
		Doors map[string]*room `dynamodbav:"doors"`
		Walls list             `dynamodbav:"walls"`
	}
	list []list
)
