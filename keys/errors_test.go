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

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// allPrinted returns every form in which x can get into a log.
func allPrinted(x any) string {
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

// leakyError is an error whose text contains a value.
type leakyError struct{ met string }

func (e leakyError) Error() string { return e.met }

// requireNoValue checks that a text contains neither the canary nor its date.
func requireNoValue(t *testing.T, text string) {
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
			Encode: func(v keys.Value) (string, error) { return "", leakyError{v.Text()} },
			Decode: func(text string) (keys.Value, error) { return keys.Value{}, leakyError{text} },
		}},
	}
	number, at := keys.Int(73_517_351), time.Date(7351, 7, 3, 5, 1, 7, 351, time.UTC)
	secret := keys.Text(canary)
	template := func(text string) *keys.Template { return compile(t, text, o) }
	errorOf := func(_ any, err error) error { return err }
	issues := map[string]error{
		"delimiter":  errorOf(template("A-<s>-<n:06>").Render(keys.Text(canary+"-"), keys.Int(1))),
		"not UTF-8":  errorOf(template("A-<s>").Render(keys.Text(canary + "\xff"))),
		"too long":   errorOf(template("A-<s>").Render(keys.Text(strings.Repeat(canary, 200)))),
		"reserved":   errorOf(template("<s>").Render(keys.Text("$U" + canary))),
		"digits":     errorOf(template("A-<n:06>").Render(number)),
		"not exact":  errorOf(template("A-<at:day>").Range(nil, keyspace.Ge, keys.Time(at))),
		"reversed":   errorOf(template("A-<s>").Range(nil, keyspace.Between, keys.Text(canary+"z"), secret)),
		"folded":     errorOf(template("A-<s:upper>").Range([]keys.Value{secret}, keyspace.All)),
		"mismatch":   errorOf(template("A-<n:06>").Parse("A-" + canary)),
		"the format": errorOf(template("A-<s:bad>").Render(secret)),
		"its decode": errorOf(template("A-<s:bad>").Parse("A-" + canary)),
		"kind":       errorOf(template("A-<n:06>").Render(secret)),
		"operator":   errorOf(template("A-<n:raw>").Range(nil, keyspace.Lt, number)),
	}
	for name, err := range issues {
		var issue *keys.ValueError
		require.ErrorAs(t, err, &issue, name)
		requireNoValue(t, allPrinted(err))
	}
	for _, v := range []keys.Value{secret, number, keys.Time(at), keys.Float(7351735), keys.Bytes([]byte(canary)), keys.Uint(7351735)} {
		requireNoValue(t, allPrinted(v))
		requireNoValue(t, allPrinted(struct{ V keys.Value }{v}))
	}
	r, err := template("A-<s>").Range(nil, keyspace.Between, secret, keys.Text(canary+"z"))
	require.NoError(t, err)
	requireNoValue(t, allPrinted(r))
	requireNoValue(t, allPrinted(&r))

	control := allPrinted(fmt.Errorf("cannot render %q", canary))
	require.Contains(t, control, "7351735", "the control must be caught")
}

// TestRandomErrorsPrintNoValues checks the errors of random invalid calls in the same way.
func TestRandomErrorsPrintNoValues(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	secret := keys.Text(canary)
	met := 0
	for range testsize.Pick(500, 1500, 20_000) {
		s := randomTemplate(r, r.IntN(2) == 0)
		template := compile(t, s.text, s.options(t))
		vals := s.pool(r)[0]
		vals[r.IntN(len(vals))] = pick(r, secret, keys.Text(canary+"\xff#"), keys.Int(-73517351), keys.Uint(73_517_351_735),
			keys.Time(time.Date(73510, 7, 3, 5, 1, 0, 0, time.UTC)), keys.Bytes([]byte(canary)))
		_, renderErr := template.Render(vals...)
		_, rangeErr := template.Range(vals[:len(vals)-1], keyspace.Op(r.IntN(int(keyspace.During)+1)), vals[len(vals)-1])
		_, parseErr := template.Parse(s.text + canary)
		for _, err := range []error{renderErr, rangeErr, parseErr} {
			if err != nil {
				met++
				requireNoValue(t, allPrinted(err))
			}
		}
	}
	require.Greater(t, met, 500)
}

// TestIssues checks that all issues of a template are reported together, each with its offset.
func TestIssues(t *testing.T) {
	t.Parallel()
	const text = "A$#<missing>#<at>-<id:sec>#<id"
	o := keys.Options{Kind: kindsOf(map[string]keys.Kind{"at": keys.KindTime, "id": keys.KindText})}
	_, err := keys.Compile(text, o)
	var issues keys.Issues
	require.ErrorAs(t, err, &issues)
	var offsets []int
	for _, issue := range issues {
		require.Equal(t, text, issue.Template)
		require.True(t, strings.HasPrefix(text[issue.Offset:], issue.Text))
		require.NotEmpty(t, issue.Reason)
		offsets = append(offsets, issue.Offset)
	}
	require.Equal(t, []int{1, 3, 13, 17, 18, 27}, offsets)
	var first *keys.SyntaxError
	require.ErrorAs(t, err, &first)
	require.Equal(t, 1, first.Offset)
}

// TestLiteralIssues checks the issues of literal text.
func TestLiteralIssues(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"A\x00", "A\n#<id>", "A\x7f", "A\u0085", "A\xff#<id>", "A#<i\x00d>", "A#<\xff>", "A\uFFFD\xff"} {
		_, err := keys.Compile(text, keys.Options{})
		var issues keys.Issues
		require.ErrorAs(t, err, &issues, "%q", text)
		require.Len(t, issues, 1)
	}
	_, err := keys.Compile("Å\uFFFD æ!\"#<id>", keys.Options{})
	require.NoError(t, err)
}

// TestOptionIssues checks the issues of the options.
func TestOptionIssues(t *testing.T) {
	t.Parallel()
	identity := keys.Format{
		Encode: func(v keys.Value) (string, error) { return v.Text(), nil },
		Decode: func(text string) (keys.Value, error) { return keys.Text(text), nil },
	}
	for name, o := range map[string]keys.Options{
		"a built-in's name": {Formats: map[string]keys.Format{"day": identity}},
		"a padding's name":  {Formats: map[string]keys.Format{"08": identity}},
		"no name":           {Formats: map[string]keys.Format{"": identity}},
		"no functions":      {Formats: map[string]keys.Format{"x": {}}},
		"type":              {Type: "SS"},
		"delimiter":         {Delimiter: "é"},
	} {
		_, err := keys.Compile("A#<id>", o)
		var issues keys.Issues
		require.ErrorAs(t, err, &issues, name)
		require.Zero(t, issues[0].Offset, name)
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
	_, all := template.Range([]keys.Value{v, v, v}, keyspace.All)
	_, fixed := template.Range([]keys.Value{v, v}, keyspace.Eq, v)
	_, one := template.Range(nil, keyspace.Between, v)
	_, none := template.Range(nil, keyspace.Eq)
	_, extra := template.Range(nil, keyspace.All, v)
	for i, err := range []error{few, many, all, fixed, one, none, extra} {
		require.ErrorIs(t, err, keys.ErrInvalid, i)
	}
	for _, op := range []keyspace.Op{keyspace.None, keyspace.During + 1, 255} {
		_, err := template.Range(nil, op, v)
		require.ErrorIs(t, err, keys.ErrOperator)
	}
	require.False(t, template.Lossless(-1) || template.Lossless(2))
	require.False(t, keyspace.Range{}.Contains("A#x#y"), "the zero Range is empty")
}

// TestErrorChain checks that an operand out of range is also ErrNotExact, and that the error of a
// named format is wrapped.
func TestErrorChain(t *testing.T) {
	t.Parallel()
	o := keys.Options{Kind: kindsOf(goldenKinds), Formats: testFormats(t)}
	_, err := compile(t, "N#<n:06>", o).Range(nil, keyspace.Lt, keys.Int(1_000_000))
	require.ErrorIs(t, err, keys.ErrNotExact)
	require.ErrorIs(t, err, keys.ErrOutOfRange)
	var issue *keys.ValueError
	require.ErrorAs(t, err, &issue)
	require.Equal(t, "n", issue.Field)
	require.Equal(t, "06", issue.Format)
	require.NotEmpty(t, issue.Hint, "what would fit")

	_, err = compile(t, "C#<n:color>", o).Render(keys.Int(3))
	require.ErrorIs(t, err, errNoColor)
	require.ErrorIs(t, err, keys.ErrInvalid)

	_, err = compile(t, "T#<at:day>", o).Range(nil, keyspace.Ge, keys.Time(hiredAt))
	require.ErrorAs(t, err, &issue)
	require.NotEmpty(t, issue.Hint, "the roundings")
	require.NotErrorIs(t, err, keys.ErrOutOfRange)
}

// TestLayoutErrors checks that an error of a time layout, or of a value for one, does
// not mention a template.
func TestLayoutErrors(t *testing.T) {
	t.Parallel()
	_, unsorted := keys.Layout("02 Jan 2006")
	f, err := keys.Layout("2006-01-02")
	require.NoError(t, err)
	_, outside := f.Encode(keys.Time(time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)))
	require.ErrorIs(t, outside, keys.ErrOutOfRange)
	_, mismatch := f.Decode("yesterday")
	require.ErrorIs(t, mismatch, keys.ErrMismatch)
	for _, err := range []error{unsorted, outside, mismatch} {
		require.NotContains(t, err.Error(), "template")
		require.Contains(t, err.Error(), "layout")
	}
	_, err = keys.Compile("A#<id", keys.Options{})
	require.Contains(t, err.Error(), "template", "the test can fail")
}

// plural matches a plural after the number one.
var plural = regexp.MustCompile(`\b1 [a-z]+s\b`)

// TestOneIssueOfSeveral checks that the number one is followed by a singular.
func TestOneIssueOfSeveral(t *testing.T) {
	t.Parallel()
	require.Regexp(t, plural, "the number has more than 1 digits")
	require.NotRegexp(t, plural, "1 digit, 11 digits, 1 byte")
	template := compile(t, "A#<n:01>", keys.Options{Kind: kindsOf(map[string]keys.Kind{"n": keys.KindInt})})
	two := compile(t, "A#<n:01>#<m:01>", keys.Options{Kind: kindsOf(map[string]keys.Kind{"n": keys.KindInt, "m": keys.KindInt})})
	narrow := compile(t, "A#<x:short>", keys.Options{Formats: map[string]keys.Format{"short": {
		Encode: func(keys.Value) (string, error) { return "x", nil }, Decode: func(string) (keys.Value, error) { return keys.Text("x"), nil }, Width: 2,
	}}})
	errorOf := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"digits":       errorOf(template.Render(keys.Int(10))),
		"placeholders": errorOf(template.Render()),
		"values":       errorOf(two.Render(keys.Int(1))),
		"operands":     errorOf(template.Range(nil, keyspace.Eq)),
		"bytes":        errorOf(narrow.Render(keys.Text("y"))),
	} {
		require.Error(t, err, name)
		require.NotRegexp(t, plural, err.Error(), name)
	}
}
