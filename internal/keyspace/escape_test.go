package keyspace

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each byte up to '$' is escaped, at each place of a text, and no other byte is.
func TestEscapeEveryByteAtEveryPlace(t *testing.T) {
	t.Parallel()
	for size := 1; size <= 17; size++ {
		for at := range size {
			for _, around := range []byte{escapeByte + 1, 'x', 0x80, 0xff} {
				for b := range 256 {
					text := bytes.Repeat([]byte{around}, size)
					text[at] = byte(b)
					want := bytes.Clone(text)
					if b <= escapeByte {
						want = append(append(want[:at:at], escapeByte, byte(b)+escapeShift), text[at+1:]...)
					}
					require.Equal(t, want, Escape(bytes.Clone(text), 0))
				}
			}
		}
	}
}
