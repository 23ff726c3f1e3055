package storage

import "bytes"

// The kinds of entries, which begin their keys.
const (
	stateKind  = "0"
	tableKind  = "1"
	itemKind   = "2"
	streamKind = "3"
	recordKind = "4"
	tokenKind  = "5"
)

// keyOf returns the key of an entry. No part but the last one may contain a zero byte: they are
// names of tables and streams.
func keyOf(kind string, parts ...string) []byte {
	key := []byte(kind)
	for _, p := range parts {
		key = append(append(key, 0), p...)
	}
	return key
}

// parseKey returns the kind of a key and the one or two parts after it.
func parseKey(key []byte) (kind string, parts [2]string) {
	before, rest, _ := bytes.Cut(key, []byte{0})
	kind = string(before)
	if kind != itemKind && kind != recordKind {
		parts[0] = string(rest)
		return kind, parts
	}
	name, last, _ := bytes.Cut(rest, []byte{0})
	parts[0], parts[1] = string(name), string(last)
	return kind, parts
}
