package page

import (
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The types of values that forms have.
const (
	typeString = "S"
	typeNumber = "N"
	typeBinary = "B"
	typeBool   = "BOOL"
	typeNull   = "NULL"
)

const (
	maxShown = 80     // how many characters of a value are shown at first
	maxWhole = 10_000 // how many are shown at all: a page has many values, of up to 400 kB
)

// valueView is a value to show.
type valueView struct {
	Type  string
	Text  string // shortened
	Whole string // the whole text if Text is shortened, or most of it
}

// attributes are the attributes of an item or of a key.
type attributes = map[string]types.AttributeValue

// attribute is an attribute to show.
type attribute struct {
	Name  string
	Value valueView
}

// attributesOf returns the attributes of an item in the order of their names, without some.
func attributesOf(item attributes, without []string) []attribute {
	var list []attribute
	for _, name := range slices.Sorted(maps.Keys(item)) {
		if !slices.Contains(without, name) {
			list = append(list, attribute{name, viewOf(item[name])})
		}
	}
	return list
}

// viewOf returns a value to show.
func viewOf(av types.AttributeValue) valueView {
	var b strings.Builder
	kind := writeValue(&b, av)
	v := valueView{Type: kind, Text: b.String()}
	if utf8.RuneCountInString(v.Text) > maxShown {
		v.Whole = v.Text
		v.Text = beginning(v.Text, maxShown)
	}
	if utf8.RuneCountInString(v.Whole) > maxWhole {
		v.Whole = beginning(v.Whole, maxWhole) + "\nThe JSON of the item has the rest."
	}
	return v
}

// beginning returns the first characters of a text.
func beginning(text string, n int) string { return string([]rune(text)[:n]) + "…" }

// writeValue writes a value as text, and returns its type. Strings are quoted, so that spaces and
// control characters are visible, and binary values are hexadecimal. Values inside lists and maps
// are written so that their types differ.
func writeValue(b *strings.Builder, av types.AttributeValue) (kind string) {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		b.WriteString(strconv.Quote(v.Value))
		return typeString
	case *types.AttributeValueMemberN:
		b.WriteString(v.Value)
		return typeNumber
	case *types.AttributeValueMemberB:
		b.WriteString(hexText(v.Value))
		return typeBinary
	case *types.AttributeValueMemberBOOL:
		b.WriteString(strconv.FormatBool(v.Value))
		return typeBool
	case *types.AttributeValueMemberNULL:
		b.WriteString("null")
		return typeNull
	case *types.AttributeValueMemberSS:
		writeSet(b, v.Value, strconv.Quote)
		return "SS"
	case *types.AttributeValueMemberNS:
		writeSet(b, v.Value, func(n string) string { return n })
		return "NS"
	case *types.AttributeValueMemberBS:
		writeSet(b, v.Value, hexText)
		return "BS"
	case *types.AttributeValueMemberL:
		for i, e := range v.Value {
			b.WriteString(separator("[", i))
			writeValue(b, e)
		}
		b.WriteString(end("[", "]", len(v.Value)))
		return "L"
	case *types.AttributeValueMemberM:
		for i, name := range slices.Sorted(maps.Keys(v.Value)) {
			b.WriteString(separator("{", i) + strconv.Quote(name) + ": ")
			writeValue(b, v.Value[name])
		}
		b.WriteString(end("{", "}", len(v.Value)))
		return "M"
	default:
		return "unknown"
	}
}

// hexText returns bytes as hexadecimal text.
func hexText(v []byte) string { return "0x" + hex.EncodeToString(v) }

// writeSet writes the elements of a set.
func writeSet[T any](b *strings.Builder, elements []T, text func(T) string) {
	for i, e := range elements {
		b.WriteString(separator("⟨", i) + text(e))
	}
	b.WriteString("⟩")
}

// separator returns what goes before the i-th element.
func separator(begin string, i int) string {
	if i == 0 {
		return begin
	}
	return ", "
}

// end returns what goes after n elements.
func end(begin, end string, n int) string {
	if n == 0 {
		return begin + end
	}
	return end
}
