package keyspace

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// edgeRunes are the runes at which the encoded size grows, a class of bytes ends, or a gap begins
// or ends.
var edgeRunes = []rune{0, 1, '#', '$', '%', 'a', 0x7e, 0x7f, 0x80, 0x7fe, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffe, 0xffff, 0x10000, 0x10fffe, 0x10ffff}

// everyText returns every text of edge runes of at most limit bytes, in order.
func everyText(limit int) []string {
	texts := []string{""}
	for at := 0; at < len(texts); at++ {
		for _, r := range edgeRunes {
			if next := texts[at] + string(r); len(next) <= limit {
				texts = append(texts, next)
			}
		}
	}
	slices.Sort(texts)
	return texts
}

const smallLimit = 5

// TestNeighbors checks that no text is between a text and the results of successor and predecessor.
func TestNeighbors(t *testing.T) {
	t.Parallel()
	texts := everyText(smallLimit)
	t.Logf("%d texts", len(texts))
	require.Empty(t, wrongSuccessors(texts, successor))
	for i, text := range texts[1:] {
		before, last := texts[i], predecessor(text, smallLimit)
		require.True(t, before <= last && last < text && len(last) <= smallLimit, "%q: %q", text, last)
	}
}

func wrongSuccessors(texts []string, next func(string, int) (string, bool)) (wrong []string) {
	for i, text := range texts {
		after, ok := next(text, smallLimit)
		isLast := i == len(texts)-1
		right := !ok && isLast || ok && after > text && len(after) <= smallLimit && (isLast || after <= texts[i+1])
		if !right {
			wrong = append(wrong, text)
		}
	}
	return wrong
}

// TestNeighborsControl checks that simpler rules fail at the limit. Appending U+0000 makes a key
// too long. Incrementing a rune only if it keeps its size misses texts, because dropping the runes
// after it makes room for a longer one.
func TestNeighborsControl(t *testing.T) {
	t.Parallel()
	texts := everyText(smallLimit)
	require.NotEmpty(t, wrongSuccessors(texts, func(text string, _ int) (string, bool) { return text + "\x00", true }))
	sameSize := func(text string, limit int) (string, bool) {
		if len(text) < limit {
			return successor(text, limit)
		}
		for runes := []rune(text); len(runes) > 0; runes = runes[:len(runes)-1] {
			kept := string(runes)
			if next, ok := prefixSuccessor(kept, len(kept)); ok && len(next) == len(kept) {
				return next, true
			}
		}
		return "", false
	}
	require.NotEmpty(t, wrongSuccessors(texts, sameSize))
}

// edgeBytes are the bytes at which a carry occurs, or an encoded rune begins or ends.
var edgeBytes = []byte{0, 1, 0x7f, 0x80, 0xc2, 0xfe, 0xff}

// everyBytes returns every string of edge bytes of 1 to limit bytes, in order.
func everyBytes(limit int) []string {
	rows := []string{""}
	for at := 0; at < len(rows); at++ {
		for _, b := range edgeBytes {
			if len(rows[at]) < limit {
				rows = append(rows, rows[at]+string([]byte{b}))
			}
		}
	}
	slices.Sort(rows)
	return rows[1:]
}

func wrongPredecessors(rows []string, previous func(string, int) string) (wrong []string) {
	for i, b := range rows[1:] {
		if last := previous(b, smallLimit); last < rows[i] || last >= b || len(last) > smallLimit {
			wrong = append(wrong, b)
		}
	}
	return wrong
}

// TestBytesPredecessor checks that no byte string is between a byte string and the result of
// bytesPredecessor.
func TestBytesPredecessor(t *testing.T) {
	t.Parallel()
	rows := everyBytes(smallLimit)
	t.Logf("%d rows", len(rows))
	require.Empty(t, wrongPredecessors(rows, bytesPredecessor))
	lowered := func(b string, _ int) string { return b[:len(b)-1] + string([]byte{max(1, b[len(b)-1]) - 1}) }
	require.NotEmpty(t, wrongPredecessors(rows, lowered), "the control: what is longer lies between")
}

// TestPrefixSuccessor checks that every string with the prefix text sorts below the result of
// prefixSuccessor. Every other string above text must sort at or above the result.
func TestPrefixSuccessor(t *testing.T) {
	t.Parallel()
	texts := everyText(3)
	for _, text := range texts {
		bound, ok := prefixSuccessor(text, 3)
		for _, other := range texts {
			below := !ok || other < bound
			starts := len(other) >= len(text) && other[:len(text)] == text
			require.Equal(t, starts || other < text, below, "%q %q %q", text, bound, other)
		}
	}
}
