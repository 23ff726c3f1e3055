package itemjson

import (
	"reflect"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Set makes an item of one attribute value of the SDK, at index 0 and without a name. It reuses the
// memory of an earlier value. The records are those of the value in JSON, but the body has only the
// texts, one after the other.
func (it *Item) Set(av types.AttributeValue) {
	it.Body, it.Values = it.Body[:0], it.Values[:0]
	it.set(it.record(), av)
}

// record adds a record and returns its index.
func (it *Item) record() int {
	it.Values = append(it.Values, Value{Span: 1})
	return len(it.Values) - 1
}

// set sets the record at index i, which is the last one, and adds those of the values in it.
func (it *Item) set(i int, av types.AttributeValue) {
	if v := reflect.ValueOf(av); v.Kind() == reflect.Pointer && v.IsNil() {
		return // of type 0, as nil is
	}
	switch tv := av.(type) {
	case *types.AttributeValueMemberS:
		setText(it, i, S, tv.Value)
	case *types.AttributeValueMemberN:
		setText(it, i, N, tv.Value)
	case *types.AttributeValueMemberB:
		setText(it, i, B, tv.Value)
	case *types.AttributeValueMemberBOOL:
		setText(it, i, BOOL, strconv.FormatBool(tv.Value))
	case *types.AttributeValueMemberNULL:
		setText(it, i, NULL, strconv.FormatBool(tv.Value))
	case *types.AttributeValueMemberSS:
		setElements(it, i, SS, tv.Value)
	case *types.AttributeValueMemberNS:
		setElements(it, i, NS, tv.Value)
	case *types.AttributeValueMemberBS:
		setElements(it, i, BS, tv.Value)
	case *types.AttributeValueMemberL:
		for _, elem := range tv.Value {
			it.set(it.record(), elem)
		}
		it.contain(i, L)
	case *types.AttributeValueMemberM:
		for name, elem := range tv.Value {
			it.set(it.member(name), elem)
		}
		it.contain(i, M)
	case *types.UnknownUnionMember:
		setText(it, it.record(), B, tv.Value)
		setText(it, i, Unknown, tv.Tag)
		it.Values[i].Span = 2
	case nil:
	default: // a type that embeds one of the SDK's
		it.set(i, &types.UnknownUnionMember{Tag: reflect.TypeOf(av).String()})
	}
}

// member adds the record of a member and returns its index.
func (it *Item) member(name string) int {
	i, start := it.record(), len(it.Body)
	it.Body = append(it.Body, name...)
	v := &it.Values[i]
	v.Name, v.NameEnd, v.Hash = uint32(start), uint32(len(it.Body)), hash(it.Body[start:])
	return i
}

// contain sets the type of the container at index i, whose values are the last ones.
func (it *Item) contain(i int, t Type) {
	it.Values[i].Type, it.Values[i].Span = t, uint32(len(it.Values)-i)
}

func setElements[E string | []byte](it *Item, i int, t Type, elems []E) {
	for _, elem := range elems {
		setText(it, it.record(), elements[t], elem)
	}
	it.contain(i, t)
}

func setText[T string | []byte](it *Item, i int, t Type, text T) {
	start := len(it.Body)
	it.Body = append(it.Body, text...)
	v := &it.Values[i]
	v.Type, v.Start, v.End, v.Raw = t, uint32(start), uint32(len(it.Body)), t == B
}
