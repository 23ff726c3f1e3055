package jsonfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPositions(t *testing.T) {
	t.Parallel()
	f := &Faults{File: "f.json"}
	values := Parse([]byte("{\"a\": [1,\n {\"b\": \"x\"}],\n\"c\": null}\n\n[true]"), f)
	require.NoError(t, f.Err())
	require.Len(t, values, 2)
	b := values[0].Get("a").Elements()[1].Get("b")
	require.Equal(t, "f.json:2: a[1].b", f.Where(b))
	require.Equal(t, "f.json:3: c", f.Where(values[0].Get("c")))
	require.Equal(t, "f.json:5", f.Where(values[1]))
	require.Equal(t, "f.json:5: [0]", f.Where(values[1].List[0]))
	require.Equal(t, []Kind{Object, Array, Number, Text, Null, Bool}, []Kind{
		values[0].Kind, values[0].Get("a").Kind, values[0].Get("a").List[0].Kind, b.Kind, values[0].Get("c").Kind, values[1].List[0].Kind,
	})
	require.Nil(t, values[0].Get("a").Get("b").Get("c"))
	require.Nil(t, (*Value)(nil).Elements())
	require.False(t, values[0].Has("b"))
}

// TestFaults checks that a syntax error keeps the values before it, and that there is a limit.
func TestFaults(t *testing.T) {
	t.Parallel()
	for text, line := range map[string]string{
		"{}\n{\"a\":\n1,}": "f.json:3", "{}\n{": "f.json:2", "{} x": "f.json:1", "{}\n[1 2]": "f.json:2", "{}\n" + strings.Repeat("[", 1<<20): "f.json:2",
	} {
		f := &Faults{File: "f.json"}
		require.Len(t, Parse([]byte(text), f), 1)
		require.ErrorContains(t, f.Err(), line)
	}
	f := &Faults{File: "f.json"}
	v := Parse([]byte(`{"a":1,"a":2}`), f)
	require.Len(t, v, 1)
	require.ErrorContains(t, f.Err(), "f.json:1: a: the name occurs twice")
	for range 12 {
		require.False(t, f.Need(v[0], Array))
	}
	require.ErrorContains(t, f.Err(), "3 more errors")
	require.NoError(t, new(Faults).Err())
}
