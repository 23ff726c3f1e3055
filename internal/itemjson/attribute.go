package itemjson

import (
	"bytes"
	"encoding/base64"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Map returns the item as attribute values of the SDK, which share no memory with the body. It is
// complete: a container of any depth is converted. Of several members of one name, the last one
// counts.
func (it Item) Map() map[string]types.AttributeValue {
	m := make(map[string]types.AttributeValue, min(len(it.Values), 64))
	for i := range it.Members() {
		m[string(it.Name(i))] = it.Attribute(i)
	}
	return m
}

// Attribute returns the value at index i as an attribute value of the SDK, which shares no memory
// with the body.
func (it Item) Attribute(i int) types.AttributeValue {
	switch it.Values[i].Type {
	case S:
		return &types.AttributeValueMemberS{Value: string(it.Text(i))}
	case N:
		return &types.AttributeValueMemberN{Value: string(it.Text(i))}
	case B:
		return &types.AttributeValueMemberB{Value: it.Bytes(i)}
	case BOOL:
		return &types.AttributeValueMemberBOOL{Value: it.True(i)}
	case NULL:
		return &types.AttributeValueMemberNULL{Value: it.True(i)}
	case M:
		return &types.AttributeValueMemberM{Value: it.Within(i).Map()}
	case L:
		return &types.AttributeValueMemberL{Value: collect(it.Within(i), Item.Attribute)}
	case SS:
		return &types.AttributeValueMemberSS{Value: collect(it.Within(i), text)}
	case NS:
		return &types.AttributeValueMemberNS{Value: collect(it.Within(i), text)}
	case BS:
		return &types.AttributeValueMemberBS{Value: collect(it.Within(i), Item.Bytes)}
	case Unknown:
		return &types.UnknownUnionMember{Tag: string(it.Text(i)), Value: it.Bytes(i + 1)}
	default:
		return nil
	}
}

func text(it Item, i int) string { return string(it.Text(i)) }

// Bytes returns the bytes of the B at index i, never nil. They share no memory with the body.
func (it Item) Bytes(i int) []byte {
	text := it.Text(i)
	if it.Values[i].Raw {
		return append([]byte{}, text...)
	}
	b := make([]byte, 0, base64.StdEncoding.DecodedLen(len(text)))
	b, _ = base64.StdEncoding.AppendDecode(b, text) // the scanner checked it
	return b
}

// collect converts the elements of a list or a set.
func collect[E any](elems Item, convert func(Item, int) E) []E {
	converted := make([]E, 0, min(len(elems.Values), 64))
	for i := range elems.Members() {
		converted = append(converted, convert(elems, i))
	}
	return converted
}

// Length returns the number of bytes of the B at index i.
func (it Item) Length(i int) int {
	text := it.Text(i)
	if it.Values[i].Raw {
		return len(text)
	}
	padding := len(text) - len(bytes.TrimRight(text, "="))
	return base64.StdEncoding.DecodedLen(len(text)) - padding
}
