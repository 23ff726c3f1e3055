package keys_test

import (
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/spread"
	"github.com/trestledb/trestle/keys"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A golden file has sections of lines "command -> result". A line that starts with "template"
// begins a section with the template of its commands. The flag -update rewrites the results.
const arrow = " -> "

// golden calls answer for the lines of a file and compares or rewrites their results.
func golden(t *testing.T, name string, answer func(t *testing.T, line string) string) {
	path := filepath.Join("..", "testdata", "keys", name)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i, line := range lines {
		command, _, _ := strings.Cut(line, arrow)
		if command = strings.TrimRight(command, " "); command == "" || command[0] == '/' {
			continue
		}
		result := answer(t, command)
		if result == "" {
			continue
		}
		if result = command + arrow + result; !*update {
			require.Equal(t, line, result, "%s:%d", path, i+1)
		}
		lines[i] = result
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	}
}

// goldenKinds are the fields of the templates in golden files.
var goldenKinds = map[string]keys.Kind{
	"id": keys.KindText, "org": keys.KindText, "name": keys.KindText, "n": keys.KindInt, "u": keys.KindUint,
	"f": keys.KindFloat, "at": keys.KindTime, "ok": keys.KindBool, "bin": keys.KindBytes,
}

// options parses "template [raw] [sharded] [partition] [N] [delimiter=-] TEXT".
func options(t *testing.T, line string) (string, keys.Options) {
	o := keys.Options{Kind: kindsOf(goldenKinds), Formats: testFormats(t)}
	for {
		word, rest, found := strings.Cut(line, " ")
		switch {
		case found && word == "raw":
			o.Raw = true
		case found && word == "sharded":
			o.Sharded, o.Partition = true, true
		case found && word == "partition":
			o.Partition = true
		case found && (word == "N" || word == "B"):
			o.Type = keys.AttrType(word)
		case found && strings.HasPrefix(word, "delimiter="):
			o.Delimiter = word[len("delimiter="):]
		default:
			return line, o
		}
		line = rest
	}
}

// section runs the commands for the current template.
type section struct{ template *keys.Template }

func (s *section) answer(t *testing.T, line string) string {
	command, rest, _ := strings.Cut(line, " ")
	if command == "template" {
		text, o := options(t, rest)
		s.template = compile(t, text, o)
		return ""
	}
	words := strings.Fields(rest)
	switch command {
	case "render":
		key, err := s.template.Render(values(t, words)...)
		return outcome(quoted(key), err)
	case "hash":
		return fmt.Sprintf("%016x", spread.Of(texts(t, words)...))
	case "shard":
		n, err := strconv.ParseUint(words[0], 10, 64)
		require.NoError(t, err)
		return strconv.FormatUint(spread.Of(texts(t, words[1:])...)%n, 10)
	case "prefix":
		key, err := s.template.Prefix(values(t, words)...)
		return outcome(quoted(key), err)
	case "parse":
		vals, err := s.template.Parse(unquoted(t, rest))
		return outcome(spelled(vals), err)
	case "all":
		got, err := s.template.Range(values(t, words), keyspace.All)
		return outcome(rangeString(got), err)
	case "range":
		for i, word := range words {
			if op, ok := goldenOps[word]; ok {
				got, err := s.template.Range(values(t, words[:i]), op, values(t, words[i+1:])...)
				return outcome(rangeString(got), err)
			}
		}
	}
	require.Fail(t, "unknown command", line)
	return ""
}

// texts parses quoted texts.
func texts(t *testing.T, words []string) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = unquoted(t, w)
	}
	return list
}

var goldenOps = map[string]keyspace.Op{
	"=": keyspace.Eq, "<": keyspace.Lt, "<=": keyspace.Le, ">": keyspace.Gt, ">=": keyspace.Ge, "between": keyspace.Between, "during": keyspace.During,
	"begins": keyspace.BeginsWith,
}

func values(t *testing.T, words []string) []keys.Value {
	vals := make([]keys.Value, len(words))
	for i, word := range words {
		vals[i] = value(t, word)
	}
	return vals
}

// value parses a value as written in golden files. A space in text is written as \x20, a repeated
// text as "x"*9.
func value(t *testing.T, word string) keys.Value {
	switch {
	case word == "absent":
		return keys.Value{}
	case word == "true" || word == "false":
		return keys.Bool(word == "true")
	case word[0] == '"':
		return keys.Text(unquoted(t, word))
	case strings.HasPrefix(word, "0x"):
		b, err := hex.DecodeString(word[2:])
		require.NoError(t, err)
		return keys.Bytes(b)
	case strings.HasSuffix(word, "f"):
		f, err := strconv.ParseFloat(strings.TrimSuffix(word, "f"), 64)
		require.NoError(t, err)
		return keys.Float(f)
	case strings.HasSuffix(word, "u"):
		n, err := strconv.ParseUint(strings.TrimSuffix(word, "u"), 10, 64)
		require.NoError(t, err)
		return keys.Uint(n)
	case strings.Contains(word, "T"):
		at, err := time.Parse(time.RFC3339Nano, word)
		require.NoError(t, err)
		return keys.Time(at)
	}
	n, err := strconv.ParseInt(word, 10, 64)
	require.NoError(t, err)
	return keys.Int(n)
}

func unquoted(t *testing.T, word string) string {
	times := 1
	if at := strings.LastIndex(word, `"*`); at >= 0 {
		n, err := strconv.Atoi(word[at+2:])
		require.NoError(t, err)
		times, word = n, word[:at+1]
	}
	text, err := strconv.Unquote(word)
	require.NoError(t, err)
	return strings.Repeat(text, times)
}

// quoted writes a text on one line. It counts a rune or an invalid byte that is repeated more than
// 40 times.
func quoted(text string) string {
	var b strings.Builder
	for text != "" {
		_, size := utf8.DecodeRuneInString(text)
		run := 1
		for run*size < len(text) && strings.HasPrefix(text[run*size:], text[:size]) {
			run++
		}
		if run <= 40 {
			b.WriteString(strings.Trim(strconv.QuoteToASCII(text[:size]), `"`))
			text = text[size:]
			continue
		}
		fmt.Fprintf(&b, "{%s*%d}", strings.Trim(strconv.QuoteToASCII(text[:size]), `"`), run)
		text = text[run*size:]
	}
	return `"` + b.String() + `"`
}

func spelled(vals []keys.Value) string {
	words := make([]string, len(vals))
	for i, v := range vals {
		switch v.Kind() {
		case keys.KindText:
			words[i] = quoted(v.Text())
		case keys.KindInt:
			words[i] = fmt.Sprint(v.Int())
		case keys.KindUint:
			words[i] = fmt.Sprint(v.Uint()) + "u"
		case keys.KindFloat:
			words[i] = fmt.Sprint(v.Float()) + "f"
		case keys.KindTime:
			words[i] = v.Time().Format(time.RFC3339Nano)
		case keys.KindBool:
			words[i] = fmt.Sprint(v.Bool())
		case keys.KindBytes:
			words[i] = "0x" + hex.EncodeToString(v.Bytes())
		}
	}
	return strings.Join(words, " ")
}

func rangeString(r keyspace.Range) string {
	switch r.Op {
	case keyspace.None, keyspace.All:
		return r.Op.String()
	case keyspace.Between:
		return r.Op.String() + " " + quoted(r.Lo) + " " + quoted(r.Hi)
	}
	return r.Op.String() + " " + quoted(r.Lo)
}

var sentinels = map[string]error{
	"absent": keys.ErrAbsent, "too long": keys.ErrTooLong, "out of range": keys.ErrOutOfRange, "not exact": keys.ErrNotExact,
	"reserved": keys.ErrReserved, "invalid": keys.ErrInvalid, "operator": keys.ErrOperator, "reversed": keys.ErrReversed,
	"mismatch": keys.ErrMismatch,
}

// outcome returns the result, or the sentinel and the field of the error.
func outcome(result string, err error) string {
	var issue *keys.ValueError
	if !errors.As(err, &issue) {
		return result
	}
	for name, sentinel := range sentinels {
		if errors.Is(issue.Err, sentinel) {
			return strings.TrimRight("! "+name+" "+issue.Field, " ")
		}
	}
	return "! unknown error"
}

func TestGoldenKeys(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"render.txt", "parse.txt", "ranges.txt"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, name, (&section{}).answer)
		})
	}
}

// TestGoldenIssues also compares the texts of issues, because users read them at start-up.
func TestGoldenIssues(t *testing.T) {
	t.Parallel()
	golden(t, "issues.txt", func(t *testing.T, line string) string {
		text, o := options(t, strings.TrimPrefix(strings.TrimPrefix(line, "template"), " "))
		_, err := keys.Compile(text, o)
		if err == nil {
			return "ok"
		}
		return strings.ReplaceAll(strings.ReplaceAll(err.Error(), "\n", " && "), fmt.Sprintf("keys: template %q, ", text), "")
	})
}

// TestGoldenLayouts checks which layouts are valid.
func TestGoldenLayouts(t *testing.T) {
	t.Parallel()
	golden(t, "layouts.txt", func(_ *testing.T, line string) string {
		format, err := keys.Layout(line)
		var issue *keys.SyntaxError
		if errors.As(err, &issue) {
			return issue.Reason
		}
		return fmt.Sprintf("%d bytes, lossless %t", format.Width, format.Lossless)
	})
}

// TestGoldenOverlaps parses "PK SK | PK SK", each with its options in brackets.
func TestGoldenOverlaps(t *testing.T) {
	t.Parallel()
	golden(t, "overlaps.txt", func(t *testing.T, line string) string {
		left, right, _ := strings.Cut(line, " | ")
		overlap, ok := keyspace.FindOverlap(compositeKey(t, left), compositeKey(t, right))
		switch {
		case !ok:
			return "none"
		case overlap.Kind == keyspace.SameKey:
			return fmt.Sprintf("same key %q %q", overlap.PartitionKey, overlap.KeyA)
		case overlap.QueryOfB:
			return fmt.Sprintf("%q %q is in %s", overlap.PartitionKey, overlap.KeyA, rangeString(overlap.Query))
		}
		return fmt.Sprintf("%q %q is in %s", overlap.PartitionKey, overlap.KeyB, rangeString(overlap.Query))
	})
}

func compositeKey(t *testing.T, text string) keyspace.CompositeKey {
	text, o := options(t, text)
	pk, sk, _ := strings.Cut(text, " ")
	partition := o
	partition.Partition = true
	partition.Type = keys.S
	p := keyspace.CompositeKey{Partition: compile(t, pk, partition).Space()}
	if sk != "" {
		p.Sort = compile(t, sk, o).Space()
	}
	return p
}
