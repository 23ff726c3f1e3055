package tag_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/tag"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		in     reflect.StructTag
		pairs  tag.Pairs
		issues []int // offsets
	}{
		{"empty", ``, tag.Pairs{}, nil},
		{"two pairs", `pk:"A#<a>" sk:"B"`, tag.Pairs{{"pk", "A#<a>", 0}, {"sk", "B", 11}}, nil},
		{"spaces", `  a:"1"   b:"2" `, tag.Pairs{{"a", "1", 2}, {"b", "2", 10}}, nil},
		{"escapes", `a:"x\"y\\"`, tag.Pairs{{"a", `x"y\`, 0}}, nil},
		{"empty value", `a:""`, tag.Pairs{{"a", "", 0}}, nil},
		{"no quote", `a:x b:"1"`, tag.Pairs{{"a", "x", 0}, {"b", "1", 4}}, []int{0}},
		{"one quote", `a:x" b:"1"`, tag.Pairs{{"a", "x", 0}, {"b", "1", 5}}, []int{0}},
		{"other quotes", `a:'x' b:"1"`, tag.Pairs{{"a", "x", 0}, {"b", "1", 6}}, []int{0}},
		{"no value", `a b:"1"`, tag.Pairs{{"b", "1", 2}}, []int{0}},
		{"no quote and no value", `a: b:"1"`, tag.Pairs{{"b", "1", 3}}, []int{0}},
		{"a word behind a space", `a: x b:"1"`, tag.Pairs{{"a", "x", 0}, {"b", "1", 5}}, []int{0}},
		{"no key", `:"1"`, tag.Pairs{}, []int{0}},
		{"no end", `a:"1`, tag.Pairs{}, []int{2}},
		{"end escaped", `a:"1\"`, tag.Pairs{}, []int{2}},
		{"bad escape", `a:"\q" b:"1"`, tag.Pairs{{"a", `\q`, 0}, {"b", "1", 7}}, []int{2}},
		{"a line break in a value", "a:\"1#\n\t2\" b:\"1\"", tag.Pairs{{"a", "1#2", 0}, {"b", "1", 10}}, []int{2}},
		{"space before the value", `a: "1" b:"2"`, tag.Pairs{{"a", "1", 0}, {"b", "2", 7}}, []int{0}},
		{"no colon", `a"1" b "2"`, tag.Pairs{{"a", "1", 0}, {"b", "2", 5}}, []int{0, 5}},
		{"comma", `a:"1",b:"2"`, tag.Pairs{{"a", "1", 0}, {"b", "2", 6}}, []int{5}},
		{"commas", `a:"1",b:"2", c:"3"`, tag.Pairs{{"a", "1", 0}, {"b", "2", 6}, {"c", "3", 13}}, []int{5}},
		{"no space", `a:"1"b:"2"`, tag.Pairs{{"a", "1", 0}, {"b", "2", 5}}, []int{5}},
		{"twice", `a:"1" a:"2"`, tag.Pairs{{"a", "1", 0}}, []int{6}},
		{"a tab is no space", "a:\"1\"\tb:\"2\"", tag.Pairs{{"a", "1", 0}, {"b", "2", 6}}, []int{5}},
		{"nor is a line break", "a:\"1\"\n\t\tb:\"2\"\n", tag.Pairs{{"a", "1", 0}, {"b", "2", 8}}, []int{5}},
		{"an equals sign", `a="1" b:="2" c = "3"`, tag.Pairs{{"a", "1", 0}, {"b", "2", 6}, {"c", "3", 13}}, []int{0, 6, 13}},
		{"a quote too many in a key", `a"b:"1" c:"2"`, tag.Pairs{}, []int{4}},
		{"a quote too many in a value", `a:"1"2" b:"3" c:"4"`, tag.Pairs{}, []int{4}},
		{"a quote too few", `a:"1 b:"2" c:"3"`, tag.Pairs{}, []int{7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pairs, issues := tag.Parse(c.in)
			require.Equal(t, c.pairs, pairs)
			var offsets []int
			for _, p := range issues {
				require.NotEmpty(t, p.Reason)
				offsets = append(offsets, p.Offset)
			}
			require.Equal(t, c.issues, offsets)
		})
	}
}

func TestPairs_Lookup(t *testing.T) {
	t.Parallel()
	pairs, _ := tag.Parse(`a:"1" b:""`)
	v, ok := pairs.Lookup("b")
	require.True(t, ok)
	require.Empty(t, v)
	_, ok = pairs.Lookup("c")
	require.False(t, ok)
}

// FuzzParse checks that Parse does not panic and that offsets are within the tag. A tag without
// issues must have the same values in package reflect.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		``, `a:"1"`, `pk:"A#<a>" sk:"B"`, `a: "1"`, `a:"1",b:"2"`, `a:"\x41"`, `a:"1" a:"2"`, `a:"1`, `a"\`, `a="1" b`, `a:"1"b" c`, "a:\"1\"\tb", "a:\"1\n2\"", `dynamodbav:"id,omitempty" json:"id"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pairs, issues := tag.Parse(reflect.StructTag(text))
		for _, p := range issues {
			require.NotEmpty(t, p.Reason)
			require.True(t, p.Offset >= 0 && p.Offset <= len(text))
		}
		if len(issues) > 0 {
			return
		}
		for _, p := range pairs {
			require.Equal(t, p.Key, text[p.Offset:p.Offset+len(p.Key)])
			value, ok := reflect.StructTag(text).Lookup(p.Key)
			require.True(t, ok)
			require.Equal(t, value, p.Value)
		}
	})
}
