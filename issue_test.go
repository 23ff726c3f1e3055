package trestle_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// TestCaret checks that the caret is in the line below its place and in the same column.
func TestCaret(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string // ^ marks the place
		want string // the lines of the block
	}{
		{"^<id>", "<id>\n^"},
		{"A#<id>^", "A#<id>\n      ^"},
		{"Ü#^<id>", "Ü#<id>\n  ^"},
		{"e\u0301#^<id>", "e\u0301#<id>\n  ^"},
		{"注文#^<id>", "注文#<id>\n     ^"},
		{"한#😀^<id>", "한#😀<id>\n     ^"},
		{"a\tb\t^c", "a\tb\tc\n \t \t^"},
		{"type:\"a\"\n\tpk:^x\n\tsk:\"b\"", "type:\"a\"\n\tpk:x\n\t   ^\n\tsk:\"b\""},
		{"type:\"a\"^\n\tpk:\"x\"", "type:\"a\"\n        ^\n\tpk:\"x\""},
		{"type:\"a\"\r\n^pk:\"x\"", "type:\"a\"\npk:\"x\"\n^"},
		{"type:\"a\"\nb^", "type:\"a\"\nb\n ^"},
		{"type:\"a\"\n^", "type:\"a\"\n         ^"},
	} {
		offset := strings.Index(c.text, "^")
		f := trestle.Issue{Field: "F", Text: strings.Replace(c.text, "^", "", 1), Offset: offset, Reason: "r", Hint: "h"}
		var shown []string
		for line := range strings.SplitSeq(f.String(), "\n") {
			if text, ok := strings.CutPrefix(line, "  | "); ok {
				shown = append(shown, text)
			}
		}
		require.Equal(t, c.want, strings.Join(shown, "\n"), "%q", c.text)
	}
}

// TestCarets checks that an offset in the text has one caret, and any other offset has none.
func TestCarets(t *testing.T) {
	t.Parallel()
	const text = "a\n\nbä\t\n"
	for offset := -2; offset < len(text)+3; offset++ {
		f := trestle.Issue{Field: "F", Text: text, Offset: offset, Reason: "r"}
		want := 0
		if offset >= 0 && offset <= len(text) {
			want = 1
		}
		require.Equal(t, want, strings.Count(f.String(), "^"), offset)
	}
}
