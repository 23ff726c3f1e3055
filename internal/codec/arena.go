package codec

import "strings"

const (
	chunkBytes = 4096 // of texts
	chunkTexts = 64   // headers of texts in lists
)

// Arena allocates the texts of decoded structs in chunks of at most 4 KB, and short lists of texts
// in chunks of 64. Chunks share no memory with the response. A text keeps its chunk in memory. An
// Arena is not safe for concurrent use.
type Arena struct {
	texts strings.Builder
	lists []string
	left  int // bytes of JSON that are still to be decoded: an upper limit for the next chunk
}

// NewArena returns an arena for structs that are decoded from about this number of bytes of JSON.
func NewArena(size int) *Arena { return &Arena{left: size} }

// text returns a copy of b.
func (a *Arena) text(b []byte) string {
	if a.texts.Cap()-a.texts.Len() < len(b) {
		if len(b) >= chunkBytes/4 {
			return string(b)
		}
		a.chunk(len(b))
	}
	start := a.texts.Len()
	a.texts.Write(b)
	return a.texts.String()[start:]
}

// chunk begins a new chunk that holds at least size bytes.
func (a *Arena) chunk(size int) {
	size = max(size, min(a.left, chunkBytes))
	a.left -= size
	a.texts.Reset()
	a.texts.Grow(size)
}

// list returns a new list of that length, never nil. Its capacity is its length.
func (a *Arena) list(length int) []string {
	if length == 0 || length > chunkTexts/4 || a.left < chunkBytes {
		return make([]string, length)
	}
	if len(a.lists) < length {
		a.lists = make([]string, chunkTexts)
	}
	list := a.lists[:length:length]
	a.lists = a.lists[length:]
	return list
}
