package btree

// key is a string with its first eight bytes as a number. The number decides most comparisons
// within the node, without access to the memory of the string.
type key struct {
	head uint64
	text string
}

func newKey(text string) key {
	if len(text) < 8 {
		var padded [8]byte
		copy(padded[:], text)
		return key{head(string(padded[:])), text}
	}
	return key{head(text), text}
}

// head returns the first eight bytes as a big-endian number, which sorts as the bytes do.
func head(s string) uint64 {
	_ = s[7]
	return uint64(s[0])<<56 | uint64(s[1])<<48 | uint64(s[2])<<40 | uint64(s[3])<<32 |
		uint64(s[4])<<24 | uint64(s[5])<<16 | uint64(s[6])<<8 | uint64(s[7])
}

// less orders by the bytes of the strings. The head of a short string is padded with zeros, which
// never sort after the bytes of another head.
func (k key) less(other key) bool {
	return k.head < other.head || k.head == other.head && k.text < other.text
}
