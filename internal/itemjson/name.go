package itemjson

import (
	"encoding/binary"
	"math/bits"
)

// Name is a name of members, with its hash.
type Name struct {
	Text string
	Hash uint32
}

// NameOf returns a name.
func NameOf(text string) Name { return Name{Text: text, Hash: hash([]byte(text))} }

// hash returns a number that distinguishes most names. It depends on the length and on up to 8
// bytes at each end.
func hash(name []byte) uint32 {
	if n := len(name); n >= 8 {
		return hashOf(binary.LittleEndian.Uint64(name), binary.LittleEndian.Uint64(name[n-8:]), n)
	}
	var first uint64
	for i, c := range name {
		first |= uint64(c) << (8 * i)
	}
	return hashOf(first, 0, len(name))
}

// hashOf returns the hash of a name of n bytes. The words are its first and its last 8 bytes; of a
// shorter name, the whole name and 0.
func hashOf(first, last uint64, n int) uint32 {
	const golden = 0x9e3779b97f4a7c15
	return uint32((first ^ bits.RotateLeft64(last, 29) ^ uint64(n)) * golden >> 32)
}

// name scans a name from the byte after its first quote, and the colon after it. It appends a
// record. Most names have at most 15 bytes and no escapes.
func (s *scanner) name(i int) int {
	if i+16 > len(s.body) {
		return s.anyName(i)
	}
	first, last, n := binary.LittleEndian.Uint64(s.body[i:]), uint64(0), 0
	if found := special(first); found != 0 {
		n = bits.TrailingZeros64(found) >> 3
		first &= 1<<(8*n) - 1
	} else if found = special(binary.LittleEndian.Uint64(s.body[i+8:])); found != 0 {
		n = bits.TrailingZeros64(found)>>3 + 8
		last = binary.LittleEndian.Uint64(s.body[i+n-8:])
	}
	end := i + n
	if s.body[end] != '"' {
		return s.anyName(i)
	}
	s.values = append(s.values, Value{Name: uint32(i), NameEnd: uint32(end), Hash: hashOf(first, last, n)})
	if end++; end < len(s.body) && s.body[end] == ':' {
		return end + 1
	}
	return s.expect(end, ':')
}

// anyName is name for a name of any form.
func (s *scanner) anyName(i int) int {
	end, escaped, ok := textEnd(s.body, i)
	if !ok {
		return s.fail(end, "invalid text")
	}
	text := s.body[i:end]
	if escaped {
		text = unescape(text)
	}
	s.values = append(s.values, Value{Name: uint32(i), NameEnd: uint32(end), Hash: hash(text), NameEscaped: escaped})
	return s.expect(end+1, ':')
}
