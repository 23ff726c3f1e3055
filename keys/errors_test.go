package keys_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// spellings returns every form in which x can get into a log.
func spellings(x any) string {
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		fmt.Fprintf(&out, verb+"\n", x)
	}
	timeless := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}
	slog.New(slog.NewTextHandler(&out, timeless)).Info("text", "it", x)
	slog.New(slog.NewJSONHandler(&out, timeless)).Info("json", "it", x)
	encoded, _ := json.Marshal(x)
	out.Write(encoded)
	return out.String()
}

// talkative is an error whose text contains a value.
type talkative struct{ met string }

func (e talkative) Error() string { return e.met }

// printsNothing checks that a text contains neither the canary nor its date.
func printsNothing(t *testing.T, text string) {
	t.Helper()
	require.NotContains(t, text, "7351735")
	require.NotContains(t, text, "7351-07")
}

const canary = "canary7351735"

// TestNothingPrintsValues checks that no printed form of an error, a Value or a Range contains the
// content of a key.
func TestNothingPrintsValues(t *testing.T) {
	t.Parallel()
	o := keys.Options{
		Delimiter: "-",
		Kind:      kindsOf(map[string]keys.Kind{"s": keys.KindText, "n": keys.KindInt, "at": keys.KindTime}),
		Formats: map[string]keys.Format{"bad": {
			Encode: func(v keys.Value) (string, error) { return "", talkative{v.Text()} },
			Decode: func(text string) (keys.Value, error) { return keys.Value{}, talkative{text} },
		}},
	}
	number, at := keys.Int(73_517_351), time.Date(7351, 7, 3, 5, 1, 7, 351, time.UTC)
	secret := keys.Text(canary)
	template := func(text string) *keys.Template { return compile(t, text, o) }
	asked := func(_ any, err error) error { return err }
	faults := map[string]error{
		"delimiter":  asked(template("A-<s>-<n:06>").Render(keys.Text(canary+"-"), keys.Int(1))),
		"not UTF-8":  asked(template("A-<s>").Render(keys.Text(canary + "\xff"))),
		"too long":   asked(template("A-<s>").Render(keys.Text(strings.Repeat(canary, 200)))),
		"reserved":   asked(template("<s>").Render(keys.Text("$U" + canary))),
		"digits":     asked(template("A-<n:06>").Render(number)),
		"not exact":  asked(template("A-<at:day>").Range(nil, keys.Ge, keys.Time(at))),
		"reversed":   asked(template("A-<s>").Range(nil, keys.Between, keys.Text(canary+"z"), secret)),
		"folded":     asked(template("A-<s:upper>").All(secret)),
		"foreign":    asked(template("A-<n:06>").Parse("A-" + canary)),
		"the format": asked(template("A-<s:bad>").Render(secret)),
		"its decode": asked(template("A-<s:bad>").Parse("A-" + canary)),
		"kind":       asked(template("A-<n:06>").Render(secret)),
		"operator":   asked(template("A-<n:raw>").Range(nil, keys.Lt, number)),
	}
	for name, err := range faults {
		var fault *keys.ValueError
		require.ErrorAs(t, err, &fault, name)
		printsNothing(t, spellings(err))
	}
	for _, v := range []keys.Value{secret, number, keys.Time(at), keys.Float(7351735), keys.Bytes([]byte(canary)), keys.Uint(7351735)} {
		printsNothing(t, spellings(v))
		printsNothing(t, spellings(struct{ V keys.Value }{v}))
	}
	r, err := template("A-<s>").Range(nil, keys.Between, secret, keys.Text(canary+"z"))
	require.NoError(t, err)
	printsNothing(t, spellings(r))
	printsNothing(t, spellings(&r))

	control := spellings(fmt.Errorf("cannot render %q", canary))
	require.Contains(t, control, "7351735", "the control must be caught")
}

// TestRandomErrorsPrintNoValues checks the errors of random invalid calls in the same way.
func TestRandomErrorsPrintNoValues(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	secret := keys.Text(canary)
	met := 0
	for range testsize.Pick(500, 5_000, 20_000) {
		s := randomShape(r, r.IntN(2) == 0)
		template := compile(t, s.text, s.options(t))
		vals := s.pool(r)[0]
		vals[r.IntN(len(vals))] = pick(r, secret, keys.Text(canary+"\xff#"), keys.Int(-73517351), keys.Uint(73_517_351_735),
			keys.Time(time.Date(73510, 7, 3, 5, 1, 0, 0, time.UTC)), keys.Bytes([]byte(canary)))
		_, renderErr := template.Render(vals...)
		_, rangeErr := template.Range(vals[:len(vals)-1], keys.Op(r.IntN(9)), vals[len(vals)-1])
		_, parseErr := template.Parse(s.text + canary)
		for _, err := range []error{renderErr, rangeErr, parseErr} {
			if err != nil {
				met++
				printsNothing(t, spellings(err))
			}
		}
	}
	require.Greater(t, met, 500)
}

// TestFaults checks that all faults of a template are reported together, each with its offset.
func TestFaults(t *testing.T) {
	t.Parallel()
	const text = "A$#<missing>#<at>-<id:sec>#<id"
	o := keys.Options{Kind: kindsOf(map[string]keys.Kind{"at": keys.KindTime, "id": keys.KindText})}
	_, err := keys.Compile(text, o)
	var faults keys.Faults
	require.ErrorAs(t, err, &faults)
	var offsets []int
	for _, fault := range faults {
		require.Equal(t, text, fault.Template)
		require.True(t, strings.HasPrefix(text[fault.Offset:], fault.Text))
		require.NotEmpty(t, fault.Reason)
		offsets = append(offsets, fault.Offset)
	}
	require.Equal(t, []int{1, 3, 13, 17, 18, 27}, offsets)
	var first *keys.SyntaxError
	require.ErrorAs(t, err, &first)
	require.Equal(t, 1, first.Offset)

	syntax, err := keys.Parse(text)
	require.Error(t, err)
	require.Equal(t, []keys.Field{
		{Name: "missing", Offset: 3}, {Name: "at", Offset: 13}, {Name: "id", Format: "sec", Offset: 18},
	}, syntax.Fields())
}

// TestLiteralFaults checks the faults of literal text.
func TestLiteralFaults(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"A\x00", "A\n#<id>", "A\x7f", "A\u0085", "A\xff#<id>", "A#<i\x00d>", "A#<\xff>", "A\uFFFD\xff"} {
		_, err := keys.Parse(text)
		var faults keys.Faults
		require.ErrorAs(t, err, &faults, "%q", text)
		require.Len(t, faults, 1)
	}
	_, err := keys.Parse("Å\uFFFD æ!\"#<id>")
	require.NoError(t, err)
}

// TestOptionFaults checks the faults of the options.
func TestOptionFaults(t *testing.T) {
	t.Parallel()
	whole := keys.Format{
		Encode: func(v keys.Value) (string, error) { return v.Text(), nil },
		Decode: func(text string) (keys.Value, error) { return keys.Text(text), nil },
	}
	for name, o := range map[string]keys.Options{
		"a built-in's name": {Formats: map[string]keys.Format{"day": whole}},
		"a padding's name":  {Formats: map[string]keys.Format{"08": whole}},
		"no name":           {Formats: map[string]keys.Format{"": whole}},
		"no functions":      {Formats: map[string]keys.Format{"x": {}}},
		"type":              {Type: "SS"},
		"delimiter":         {Delimiter: "é"},
	} {
		_, err := keys.Compile("A#<id>", o)
		var faults keys.Faults
		require.ErrorAs(t, err, &faults, name)
		require.Zero(t, faults[0].Offset, name)
	}
	_, err := keys.Compile(strings.Repeat("x", 1024)+"#", keys.Options{})
	require.Error(t, err, "no key of it fits")
	_, err = keys.Compile(strings.Repeat("x", 1024)+"#", keys.Options{Partition: true})
	require.NoError(t, err)
}

// TestWrongCalls checks that a wrong number of values or operands is an error instead of a panic.
func TestWrongCalls(t *testing.T) {
	t.Parallel()
	template := compile(t, "A#<a>#<b>", keys.Options{})
	v := keys.Text("x")
	_, few := template.Render(v)
	_, many := template.Prefix(v, v, v)
	_, all := template.All(v, v, v)
	_, fixed := template.Range([]keys.Value{v, v}, keys.Eq, v)
	_, one := template.Range(nil, keys.Between, v)
	_, none := template.Range(nil, keys.Eq)
	for i, err := range []error{few, many, all, fixed, one, none} {
		require.ErrorIs(t, err, keys.ErrInvalid, i)
	}
	for _, op := range []keys.Op{0, keys.BeginsWith + 1, 255} {
		_, err := template.Range(nil, op, v)
		require.ErrorIs(t, err, keys.ErrOperator)
	}
	require.False(t, template.Lossless(-1) || template.Lossless(2))
	require.False(t, keys.Range{}.Contains("A#x#y"), "the zero Range is empty")
}

// TestErrorChain checks that an operand out of range is also ErrNotExact, and that the error of a
// named format is wrapped.
func TestErrorChain(t *testing.T) {
	t.Parallel()
	o := keys.Options{Kind: kindsOf(goldenKinds), Formats: testFormats(t)}
	_, err := compile(t, "N#<n:06>", o).Range(nil, keys.Lt, keys.Int(1_000_000))
	require.ErrorIs(t, err, keys.ErrNotExact)
	require.ErrorIs(t, err, keys.ErrOutOfRange)
	var fault *keys.ValueError
	require.ErrorAs(t, err, &fault)
	require.Equal(t, "n", fault.Field)
	require.Equal(t, "06", fault.Format)
	require.NotEmpty(t, fault.Hint, "what would fit")

	_, err = compile(t, "C#<n:color>", o).Render(keys.Int(3))
	require.ErrorIs(t, err, errNoColor)
	require.ErrorIs(t, err, keys.ErrInvalid)

	_, err = compile(t, "T#<at:day>", o).Range(nil, keys.Ge, keys.Time(hiredAt))
	require.ErrorAs(t, err, &fault)
	require.NotEmpty(t, fault.Hint, "the roundings")
	require.NotErrorIs(t, err, keys.ErrOutOfRange)
}

// TestLayoutsAreCalledLayouts checks that an error of a time layout, or of a value for one, does
// not mention a template.
func TestLayoutsAreCalledLayouts(t *testing.T) {
	t.Parallel()
	_, unsorted := keys.Layout("02 Jan 2006")
	f, err := keys.Layout("2006-01-02")
	require.NoError(t, err)
	_, outside := f.Encode(keys.Time(time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)))
	require.ErrorIs(t, outside, keys.ErrOutOfRange)
	_, foreign := f.Decode("yesterday")
	require.ErrorIs(t, foreign, keys.ErrForeign)
	for _, err := range []error{unsorted, outside, foreign} {
		require.NotContains(t, err.Error(), "template")
		require.Contains(t, err.Error(), "layout")
	}
	_, err = keys.Compile("A#<id", keys.Options{})
	require.Contains(t, err.Error(), "template", "the test can fail")
}

// plural matches a plural after the number one.
var plural = regexp.MustCompile(`\b1 [a-z]+s\b`)

// TestOneOfThem checks that the number one is followed by a singular.
func TestOneOfThem(t *testing.T) {
	t.Parallel()
	require.Regexp(t, plural, "the number has more than 1 digits")
	require.NotRegexp(t, plural, "1 digit, 11 digits, 1 byte")
	template := compile(t, "A#<n:01>", keys.Options{Kind: kindsOf(map[string]keys.Kind{"n": keys.KindInt})})
	two := compile(t, "A#<n:01>#<m:01>", keys.Options{Kind: kindsOf(map[string]keys.Kind{"n": keys.KindInt, "m": keys.KindInt})})
	narrow := compile(t, "A#<x:short>", keys.Options{Formats: map[string]keys.Format{"short": {
		Encode: func(keys.Value) (string, error) { return "x", nil }, Decode: func(string) (keys.Value, error) { return keys.Text("x"), nil }, Width: 2,
	}}})
	asked := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"digits":       asked(template.Render(keys.Int(10))),
		"placeholders": asked(template.Render()),
		"values":       asked(two.Render(keys.Int(1))),
		"operands":     asked(template.Range(nil, keys.Eq)),
		"bytes":        asked(narrow.Render(keys.Text("y"))),
	} {
		require.Error(t, err, name)
		require.NotRegexp(t, plural, err.Error(), name)
	}
}
