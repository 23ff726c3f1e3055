package keys_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/keys"
)

// fuzzKind derives the kind of a field from its name, so that templates use every kind.
func fuzzKind(name string) (keys.Kind, bool) {
	kind := keys.Kind(strings.IndexByte("_sinftbx", name[0]))
	if name[0] == 'u' {
		kind = keys.KindUint
	}
	return kind, kind >= keys.KindText && kind <= keys.KindBytes
}

// fuzzValue makes a value of a kind from the fuzzer's arguments.
func fuzzValue(kind keys.Kind, text string, number int64) keys.Value {
	switch kind {
	case keys.KindInt:
		return keys.Int(number)
	case keys.KindUint:
		return keys.Uint(uint64(number))
	case keys.KindFloat:
		return keys.Float(float64(number) / 8)
	case keys.KindTime:
		return keys.Time(time.Unix(number%300_000_000_000, number%1_000_000_000))
	case keys.KindBool:
		return keys.Bool(number > 0)
	case keys.KindBytes:
		return keys.Bytes([]byte(text))
	}
	return keys.Text(text)
}

// FuzzCompile checks that Compile never panics, that issues are in order and within the text, and
// that a compiled template returns its text.
func FuzzCompile(f *testing.F) {
	f.Add("ORDER#<t_placed:s>#<s_id>", "#", false)
	f.Add("<n:raw>-<s>$<", "-", true)
	f.Fuzz(func(t *testing.T, text, delimiter string, raw bool) {
		syntax := keysyntax.Parse(text)
		template, err := keys.Compile(text, keys.Options{Delimiter: delimiter, Raw: raw, Kind: fuzzKind, Formats: testFormats(t)})
		var issues keys.Issues
		if errors.As(err, &issues) {
			last := 0
			for _, issue := range issues {
				require.True(t, issue.Offset >= last && issue.Offset <= len(text))
				last = issue.Offset
			}
			return
		}
		require.NoError(t, err)
		require.Empty(t, syntax.Issues)
		require.Equal(t, text, template.String())
		for i, field := range template.Fields() {
			require.Equal(t, syntax.Placeholders[i].Name, field.Name)
			require.True(t, strings.HasPrefix(text[field.Offset:], "<"+field.Name))
		}
	})
}

// FuzzRenderParse checks that parsing a rendered key and rendering the result gives the same key.
// Rendering the values of a parsed key must give that key.
func FuzzRenderParse(f *testing.F) {
	f.Add("S#<s>#<t:ms>#<n:ord,desc>", "a b#c$", "S#a#b", int64(1_785_576_629), false)
	f.Add("<x:hex>#<i:06>#<s:lower>", "Ab", "6162#000001#ab", int64(1), true)
	f.Fuzz(func(t *testing.T, text, value, key string, number int64, raw bool) {
		template, err := keys.Compile(text, keys.Options{Raw: raw, Kind: fuzzKind, Formats: testFormats(t)})
		if err != nil {
			return
		}
		var vals []keys.Value
		for _, field := range template.Fields() {
			vals = append(vals, fuzzValue(field.Kind, value, number))
		}
		if rendered, err := template.Render(vals...); err == nil {
			require.True(t, utf8.ValidString(rendered) && len(rendered) <= 1024)
			kept, err := template.Parse(rendered)
			require.NoError(t, err)
			again, err := template.Render(kept...)
			require.NoError(t, err)
			require.Equal(t, rendered, again)
		}
		if read, err := template.Parse(key); err == nil {
			again, err := template.Render(read...)
			require.NoError(t, err)
			require.Equal(t, key, again)
		}
	})
}

// FuzzOrder checks that two tuples of text have the same key only if they are equal, and that keys
// sort as the tuples do.
func FuzzOrder(f *testing.F) {
	f.Add("1#b", "3", "1", "b#3")
	f.Add("a b", "c", "a", "b")
	f.Fuzz(func(t *testing.T, a1, a2, b1, b2 string) {
		template := compile(t, "K#<s>#<s2>", keys.Options{})
		a, errA := template.Render(keys.Text(a1), keys.Text(a2))
		b, errB := template.Render(keys.Text(b1), keys.Text(b2))
		if errA != nil || errB != nil {
			return
		}
		want := strings.Compare(a1, b1)
		if want == 0 {
			want = strings.Compare(a2, b2)
		}
		require.Equal(t, want, strings.Compare(a, b))
	})
}

// FuzzOperators checks random templates and values from the fuzzer's seed, with its texts as
// values.
func FuzzOperators(f *testing.F) {
	f.Add(uint64(1), "a#", "b$", false)
	f.Add(uint64(2), "\x00", "\U0010ffff", true)
	f.Fuzz(func(t *testing.T, seed uint64, x, y string, raw bool) {
		if x == "" || y == "" || !utf8.ValidString(x+y) || raw && strings.IndexFunc(x+y, func(r rune) bool { return r <= '#' }) >= 0 {
			return
		}
		r := rand.New(rand.NewPCG(seed, 2))
		s := randomTemplate(r, raw)
		for i, c := range s.cases {
			if c.kind == keys.KindText {
				s.cases[i].value = func(r *rand.Rand) keys.Value { return keys.Text(pick(r, x, y)) }
			}
		}
		template := compile(t, s.text, s.options(t))
		pool := renderable(template, s.pool(r))
		if len(pool) == 0 {
			return
		}
		for range 4 {
			_, err := s.check(template, pool, s.comparison(r, pool))
			if errors.Is(err, keys.ErrReserved) || errors.Is(err, keys.ErrTooLong) {
				continue
			}
			require.NoError(t, err)
		}
	})
}

// FuzzOverlap checks that no key and no range of a random pair of templates contradicts the result
// of Overlap.
func FuzzOverlap(f *testing.F) {
	f.Add(uint64(1))
	f.Add(uint64(2))
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		templateA, templateB := overlappingTemplate(r), overlappingTemplate(r)
		templateB.raw = templateA.raw
		a, errA := keys.Compile(templateA.text, templateA.options(t))
		b, errB := keys.Compile(templateB.text, templateB.options(t))
		if errA != nil || errB != nil {
			return
		}
		c, ok := inOnePartition(t)(a, b)
		require.NoError(t, contradiction(r, ok, a, b, templateA, templateB), "%s, %s", a, b)
		if ok {
			verifyOverlap(t, c, a, b)
		}
	})
}
