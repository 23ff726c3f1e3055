package schemadiff_test

import (
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/schema/internal/schemadiff"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// The files in testdata have these commands. A schema may use the format iso with the given layout,
// and the format rank, which encodes the number n as the n-th word.
//
//	before iso=LAYOUT rank=WORDS       the earlier schema
//	after iso=LAYOUT rank=WORDS        a later schema, compared with the earlier one
//	edit iso=LAYOUT rank=WORDS         a later schema: the earlier one with edits
//	back                               the last two schemas in the other direction
func TestCompare(t *testing.T) {
	t.Parallel()
	testdriven.Walk(t, "testdata", func(t *testing.T, file string) {
		t.Helper()
		var earlier string
		var before, after *core.Schema
		compare := func(c *testdriven.Case, was, is *core.Schema) string {
			text := schemadoc.Text(was)
			changes := schemadiff.Compare(text, is)
			require.Equal(c.T, changes, schemadiff.Compare(strings.ReplaceAll(text, "\n", "\r\n"), is), "%s: line endings have no effect", c.Pos)
			require.Empty(c.T, schemadiff.Compare(schemadoc.Text(is), is), "%s: a schema is compared with itself", c.Pos)
			earlier := withNulls.ReplaceAllString(schemadoc.Text(is), "${1}NULL|${2}[")
			require.Empty(c.T, schemadiff.Compare(earlier, is), "%s: earlier descriptions name NULL, which all types read", c.Pos)
			return list(changes)
		}
		testdriven.Run(t, file, func(c *testdriven.Case) string {
			switch c.Command {
			case "before":
				earlier, before = c.Input, schemaOf(c, c.Input)
				return ""
			case "after":
				after = schemaOf(c, c.Input)
			case "edit":
				after = schemaOf(c, c.Edit(earlier))
			case "back":
				return compare(c, after, before)
			default:
				t.Fatalf("%s: unknown command %s", c.Pos, c.Command)
			}
			return compare(c, before, after)
		})
	})
}

// withNulls matches the types that earlier versions described as NULL or a container.
var withNulls = regexp.MustCompile(`([ :\[])(L|M|SS|NS|BS)\[`)

// list returns one line for each change.
func list(changes []string) string {
	if len(changes) == 0 {
		return "no effect"
	}
	return strings.Join(changes, "\n")
}

func schemaOf(c *testdriven.Case, text string) *core.Schema {
	source := testschema.Source{Formats: map[string]keys.Format{"fixed": words("x", "x", "x")}, Types: map[string]reflect.Type{
		"chain": reflect.TypeFor[chain](), "numberChain": reflect.TypeFor[numberChain](), "unrolled": reflect.TypeFor[unrolled](),
	}}
	if layout := c.Value("iso"); layout != "" {
		iso, err := keys.Layout(layout)
		require.NoError(c.T, err)
		source.Formats["iso"] = iso
	}
	if list := c.Value("rank"); list != "" {
		source.Formats["rank"] = words(strings.Split(list, ",")...)
	}
	s, err := source.Schema(text)
	require.NoError(c.T, err, c.Pos)
	return s
}

// words returns a format that encodes the number n as the n-th word. It cannot encode other
// numbers.
func words(list ...string) keys.Format {
	return keys.Format{
		Kinds:  []keys.Kind{keys.KindInt, keys.KindUint, keys.KindFloat},
		Encode: func(v keys.Value) (string, error) { return list[v.Int()], nil },
		Decode: func(string) (keys.Value, error) { return keys.Value{}, errors.New("not a word") },
	}
}

// Types that contain themselves.
type (
	chain struct {
		Value string `dynamodbav:"value"`
		Next  *chain `dynamodbav:"next"`
	}
	numberChain struct {
		Value int          `dynamodbav:"value"`
		Next  *numberChain `dynamodbav:"next"`
	}
	unrolled struct {
		Value string `dynamodbav:"value"`
		Next  *chain `dynamodbav:"next"`
	}
)

// TestCompareAcceptsAnyText checks that no text as a description causes a panic.
func TestCompareAcceptsAnyText(t *testing.T) {
	t.Parallel()
	s, err := testschema.Source{}.Schema("type A struct {\n_ entity.Key `type:\"a\" pk:\"A#<id>\" sk:\"<at:s>\"`\n" +
		"ID string `dynamodbav:\"id\"`\nAt *time.Time `dynamodbav:\"at\"`\nTags map[int][]string `dynamodbav:\"tags\"`\n}")
	require.NoError(t, err)
	text := schemadoc.Text(s)
	for i := range text {
		_ = schemadiff.Compare(text[:i], s)
		_ = schemadiff.Compare(text[i:], s)
	}
	for _, text := range []string{"", "attribute x S\nkey PK x", "\"", "entity\naccess\nentity \"", "table \"", "index", "key\n\n\x00"} {
		require.Len(t, schemadiff.Compare(text, s), 1)
		_ = schemadiff.Compare("description 1\n"+text, s)
	}
}

// A key attribute whose name reads like the kind of an index does not make the index local.
func TestKeyAttributeNamedLikeAnIndexKind(t *testing.T) {
	t.Parallel()
	isLocal := func(x trestle.IndexConfig) bool {
		s, issues := define.Schema(trestle.Config{Indexes: []trestle.IndexConfig{x}})
		require.NoError(t, define.Err(issues))
		d, err := schemadoc.Parse(schemadoc.Text(s))
		require.NoError(t, err)
		return d.Indexes[0].Local
	}
	odd := []trestle.Attribute{{Name: "a, local"}}
	require.False(t, isLocal(trestle.IndexConfig{Name: "GSI1", Partition: odd, Include: []string{"local", "b, local"}}))
	require.True(t, isLocal(trestle.IndexConfig{Name: "LSI1", Kind: trestle.LocalIndex, Sort: odd}))
}
