package cursor

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Binding hashes what a token is bound to. Each part is hashed with its length and its kind, so
// different lists of parts have different hashes.
type Binding struct{ h hash.Hash }

// NewBinding returns an empty Binding.
func NewBinding() Binding {
	b := Binding{sha256.New()}
	b.Text("trestle cursor 2")
	return b
}

// Text adds a text.
func (b Binding) Text(s string) {
	b.head('t', len(s))
	_, _ = b.h.Write([]byte(s))
}

// Texts adds a list of texts.
func (b Binding) Texts(list []string) {
	b.head('l', len(list))
	for _, s := range list {
		b.Text(s)
	}
}

// Flag adds a bool.
func (b Binding) Flag(f bool) {
	n := 0
	if f {
		n = 1
	}
	b.head('f', n)
}

// Number adds a non-negative number.
func (b Binding) Number(n int) { b.head('i', n) }

// Names adds the attribute names of an expression with their placeholders.
func (b Binding) Names(names map[string]string) {
	b.head('n', len(names))
	for _, k := range slices.Sorted(maps.Keys(names)) {
		b.Text(k)
		b.Text(names[k])
	}
}

// Values adds attribute values with their names.
func (b Binding) Values(values map[string]types.AttributeValue) {
	b.head('m', len(values))
	for _, k := range slices.Sorted(maps.Keys(values)) {
		b.Text(k)
		b.value(values[k])
	}
}

// value adds an attribute value. It sorts the elements of a set, so that their order does not
// matter.
func (b Binding) value(av types.AttributeValue) {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		b.kind("S", v.Value)
	case *types.AttributeValueMemberN:
		b.kind("N", v.Value)
	case *types.AttributeValueMemberB:
		b.kind("B", string(v.Value))
	case *types.AttributeValueMemberBOOL:
		b.Text("BOOL")
		b.Flag(v.Value)
	case *types.AttributeValueMemberNULL:
		b.Text("NULL")
	case *types.AttributeValueMemberSS:
		b.set("SS", v.Value)
	case *types.AttributeValueMemberNS:
		b.set("NS", v.Value)
	case *types.AttributeValueMemberBS:
		texts := make([]string, len(v.Value))
		for i, e := range v.Value {
			texts[i] = string(e)
		}
		b.set("BS", texts)
	case *types.AttributeValueMemberL:
		b.head('L', len(v.Value))
		for _, e := range v.Value {
			b.value(e)
		}
	case *types.AttributeValueMemberM:
		b.Values(v.Value)
	default:
		b.Text("?")
	}
}

func (b Binding) kind(kind, text string) {
	b.Text(kind)
	b.Text(text)
}

func (b Binding) set(kind string, texts []string) {
	b.Text(kind)
	b.Texts(slices.Sorted(slices.Values(texts)))
}

func (b Binding) head(kind byte, n int) {
	var buf [9]byte
	buf[0] = kind
	binary.BigEndian.PutUint64(buf[1:], uint64(n)) //nolint:gosec // a length
	_, _ = b.h.Write(buf[:])
}

// sum returns the hash.
func (b Binding) sum() []byte { return b.h.Sum(nil) }
