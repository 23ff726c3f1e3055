package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
	"github.com/trestledb/trestle/internal/testsize"
)

// Exactly invalid JSON, invalid UTF-8 and unpaired surrogates are rejected.
func TestStrictness(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := newRandom(t)
	accepted, lax := 0, 0
	runs := testsize.Pick(20_000, 50_000, 500_000)
	for range runs {
		text := damaged(r, randomObject(r))
		ok := accepts(t, text)
		require.Equal(t, isRequest(text), ok, "%q", text)
		if ok {
			accepted++
		}
		if ok != json.Valid(text) {
			lax++
		}
	}
	require.Greater(t, accepted, runs/10, "too few of the texts are JSON")
	require.Less(t, accepted, runs*9/10, "too few of the texts are none")
	require.Positive(t, lax, "a check that UTF-8 and surrogates are no matter of would pass as well")
}

// accepts reports whether a text is accepted as a request without members, which skips everything.
func accepts(t *testing.T, text []byte) bool {
	err := wire.Decode(text, new(api.Empty))
	if err != nil {
		require.Equal(t, awserr.CodeSerialization, rejects(t, err).Code)
	}
	return err == nil
}

func rejects(t *testing.T, err error) *awserr.Error {
	var serviceErr *awserr.Error
	require.ErrorAs(t, err, &serviceErr)
	return serviceErr
}

// isRequest computes the expected result of accepts with encoding/json.
func isRequest(text []byte) bool {
	if !json.Valid(text) || !utf8.Valid(text) || !strings.HasPrefix(strings.TrimLeft(string(text), " \t\r\n"), "{") {
		return false
	}
	// encoding/json decodes an unpaired surrogate as U+FFFD, which the texts do not contain
	// otherwise.
	tokens := json.NewDecoder(bytes.NewReader(text))
	tokens.UseNumber()
	for {
		token, err := tokens.Token()
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		if s, ok := token.(string); ok && strings.ContainsRune(s, utf8.RuneError) {
			return false
		}
	}
}

// randomObject returns the text of an object, possibly with duplicate names.
func randomObject(r *rand.Rand) []byte {
	var text strings.Builder
	writeRandom(r, &text, 5, true)
	return []byte(text.String())
}

func writeRandom(r *rand.Rand, text *strings.Builder, levels int, object bool) {
	spaces := []string{"", "", "", " ", "\n", "\t", " \r\n"}
	space := func() { text.WriteString(spaces[r.IntN(len(spaces))]) }
	space()
	defer space()
	choice := r.IntN(10)
	switch {
	case object || levels > 0 && choice < 2:
		writeParts(r, text, "{", "}", func() {
			space()
			writeString(r, text)
			space()
			text.WriteString(":")
			writeRandom(r, text, levels-1, false)
		})
	case levels > 0 && choice < 4:
		writeParts(r, text, "[", "]", func() { writeRandom(r, text, levels-1, false) })
	case choice < 7:
		writeString(r, text)
	case choice < 9:
		numbers := []string{"0", "-0", "12", "-3.25", "1e5", "2E+07", "0.5e-3", "123456789012345678901234567890"}
		text.WriteString(numbers[r.IntN(len(numbers))])
	default:
		words := []string{"true", "false", "null"}
		text.WriteString(words[r.IntN(len(words))])
	}
}

func writeParts(r *rand.Rand, text *strings.Builder, begin, end string, part func()) {
	text.WriteString(begin)
	for i := range r.IntN(4) {
		if i > 0 {
			text.WriteString(",")
		}
		part()
	}
	text.WriteString(end)
}

func writeString(r *rand.Rand, text *strings.Builder) {
	parts := []string{"a", "é", "日", "\U0001F600", `\n`, `\"`, `\\`, `\/`, `\u00e9`, `\uD83D\uDE00`, `\ud83d`, `\udE00`, `\u0000`, " "}
	text.WriteString(`"`)
	for range r.IntN(4) {
		text.WriteString(parts[r.IntN(len(parts))])
	}
	text.WriteString(`"`)
}

// damaged changes, removes or adds up to two bytes.
func damaged(r *rand.Rand, text []byte) []byte {
	const alphabet = "{}[]:,\"\\ \tu0123456789abcdefE+-.tn\x00\x1f\x7f\x80\xc3\xed\xff"
	for range r.IntN(3) {
		at, b := r.IntN(len(text)), alphabet[r.IntN(len(alphabet))]
		switch r.IntN(3) {
		case 0:
			text[at] = b
		case 1:
			text = append(text[:at], text[at+1:]...)
		default:
			text = append(text[:at], append([]byte{b}, text[at:]...)...)
		}
		if len(text) == 0 {
			return text
		}
	}
	return text
}
