package attr_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// steps returns the steps of a run-time path.
func steps(path string) ([]*core.Step, error) {
	c := expr.CondOf(attr.Named[Thing](path).Exists())
	return c.Path.Steps, c.Path.Err
}

func TestNamedPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		`a`:                 `a`,
		`a.b[3]`:            `a b 3`,
		`a[0][12].c`:        `a 0 12 c`,
		`a."b.c"[3]`:        `a b.c 3`,
		`"a[0]".b`:          `a[0] b`,
		`"say \"x\""`:       `say "x"`,
		`"\u00e9"`:          `é`,
		"`raw`":             "`raw`",
		`a name.with space`: `a name with space`,
		`[2147483647`:       ``, `a[2147483647]`: `a 2147483647`, `a[2147483648]`: ``,
		``: ``, `.`: ``, `a.`: ``, `.a`: ``, `a..b`: ``, `a[`: ``, `a[]`: ``, `a[-1]`: ``, `a[01]`: ``, `a[+1]`: ``, `a[1`: ``, `[1]`: ``,
		`a]`: ``, `a[1]b`: ``, `"a`: ``, `""`: ``, `a"b"`: ``, `"a"b`: ``, `a[1].`: ``, "a\xff": ``, `"\xff"`: ``, `a[١]`: ``,
	} {
		list, err := steps(path)
		if want == "" {
			require.Error(t, err, path)
			require.NotContains(t, err.Error(), "\xff")
			continue
		}
		require.NoError(t, err, path)
		require.Equal(t, want, words(list))
	}
}

func words(list []*core.Step) string {
	text := make([]string, len(list))
	for i, s := range list {
		if text[i] = s.Name; s.Kind == core.StepAt {
			text[i] = strconv.Itoa(s.At)
		}
	}
	return strings.Join(text, " ")
}

// FuzzNamedPath checks that every text is an error, or a path that can be written and parsed again
// unchanged. Nothing panics.
func FuzzNamedPath(f *testing.F) {
	for _, seed := range []string{`a.b[3]`, `a."b.c"[3]`, `"\"".x`, `a[2147483648]`, `a..b`, "a\x00", `[0]`, `"`, `any.deep[1].er`} {
		f.Add(seed)
	}
	p := plan[Thing](f)
	f.Fuzz(func(t *testing.T, path string) {
		h := attr.Named[Thing](path)
		_ = fmt.Sprintf("%v %+v %#v", h, h.Exists(), h.Set(1))
		b := expr.NewBuilder()
		_, _ = expr.Condition(b, p, expr.CondOf(h.Eq(path)))
		_, _ = compileUpdate(b, p, []attr.Change[Thing]{h.Set(path)})
		list, err := steps(path)
		if err != nil {
			return
		}
		var again strings.Builder
		for i, s := range list {
			if s.Kind == core.StepAt {
				fmt.Fprintf(&again, "[%d]", s.At)
				continue
			}
			if i > 0 {
				again.WriteByte('.')
			}
			again.WriteString(strconv.Quote(s.Name))
		}
		same, err := steps(again.String())
		require.NoError(t, err)
		require.Equal(t, list, same)
	})
}
