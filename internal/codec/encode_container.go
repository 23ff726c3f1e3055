package codec

import (
	"errors"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// encodeMap encodes a map. It copies each element to one addressable variable.
func (e *encoder) encodeMap(n *Node, p Ptr, o *Options) (AV, error) {
	if n.texts && o.elem() == plain {
		return n.encodeTextMap(p)
	}
	v := p.value(n.Type)
	m := make(Item, v.Len())
	elem := reflect.New(n.Elem.Type).Elem()
	at, options := PtrOf(elem), o.elem()
	for iter := v.MapRange(); iter.Next(); {
		name, err := n.Key.encode(iter.Key())
		if err != nil {
			return nil, n.mapKeyError(err)
		}
		if m[name] != nil {
			return nil, n.newError("", "two map keys have the same text", nil)
		}
		elem.SetIterValue(iter)
		av, err := e.encode(n.Elem, at, options)
		if err != nil {
			return nil, prependPath("[*]", err)
		}
		if av != nil {
			m[name] = av
		}
	}
	return &types.AttributeValueMemberM{Value: m}, nil
}

// mapKeyError returns an error for a map key that cannot be encoded. The text does not contain the
// key.
func (n *Node) mapKeyError(err error) error {
	switch {
	case errors.Is(err, errEmptyKey):
		return n.newError("", "a map key is empty, but an attribute needs a name", err)
	case errors.Is(err, errKeyNotUTF8):
		return n.newError("", "a map key is not UTF-8", err)
	default:
		return n.newError("", "a map key cannot be encoded", err)
	}
}

func (n *Node) encodeTextMap(p Ptr) (AV, error) {
	texts := p.textMap()
	m := make(Item, len(texts))
	values := make([]types.AttributeValueMemberS, 0, len(texts))
	for name, s := range texts {
		if name == "" {
			return nil, n.mapKeyError(errEmptyKey)
		}
		if !utf8.ValidString(name) {
			return nil, n.mapKeyError(errKeyNotUTF8)
		}
		if err := n.checkText(s); err != nil {
			return nil, prependPath("[*]", err)
		}
		values = append(values, types.AttributeValueMemberS{Value: s})
		m[name] = &values[len(values)-1]
	}
	return &types.AttributeValueMemberM{Value: m}, nil
}

// encodeTextList encodes a []string as an L, or as an SS.
func (n *Node) encodeTextList(p Ptr, set Wire) (AV, error) {
	texts := p.texts()
	for i, s := range texts {
		if err := n.checkText(s); err != nil {
			return nil, prependPath(indexStep(i), err)
		}
	}
	if set == WireSS {
		return &types.AttributeValueMemberSS{Value: append(make([]string, 0, len(texts)), texts...)}, n.checkDistinct(texts)
	}
	values := make([]types.AttributeValueMemberS, len(texts))
	elems := make([]AV, len(texts))
	for i, s := range texts {
		values[i].Value = s
		elems[i] = &values[i]
	}
	return &types.AttributeValueMemberL{Value: elems}, nil
}

// encodeList encodes a slice or an array as an L, or as the set that the options select. An empty
// set is NULL.
func (e *encoder) encodeList(n *Node, p Ptr, o *Options) (AV, error) {
	length := n.Len
	if n.Kind == KindList {
		length = p.sliceLen()
	}
	set := n.set(o)
	if set != 0 && length == 0 {
		return null(), nil
	}
	if n.texts && o.elem() == plain && (set == 0 || set == WireSS) {
		return n.encodeTextList(p, set)
	}
	elems := make([]AV, 0, length)
	options := o.elem()
	for i := range length {
		av, err := e.encode(n.Elem, n.index(p, i), options)
		if err != nil {
			return nil, prependPath(indexStep(i), err)
		}
		if av != nil {
			elems = append(elems, av)
		}
	}
	if set == 0 {
		return &types.AttributeValueMemberL{Value: elems}, nil
	}
	return n.newSet(set, elems)
}

// set returns the type of set that a list is encoded as, or 0 for a list.
func (n *Node) set(o *Options) Wire {
	switch {
	case o.BinarySet || n.binarySets:
		return WireBS
	case o.NumberSet:
		return WireNS
	case o.StringSet:
		return WireSS
	default:
		return 0
	}
}

// newSet makes a set of encoded elements.
func (n *Node) newSet(set Wire, elems []AV) (AV, error) {
	switch set {
	case WireBS:
		values := make([][]byte, 0, len(elems))
		for i, av := range elems {
			b, ok := av.(*types.AttributeValueMemberB)
			if !ok || b == nil || b.Value == nil {
				return nil, prependPath(indexStep(i), n.newError("", "a binary set can only contain bytes", nil))
			}
			values = append(values, b.Value)
		}
		av := &types.AttributeValueMemberBS{Value: values}
		return av, n.checkSet(av)
	case WireNS:
		values := make([]string, 0, len(elems))
		for i, av := range elems {
			s, ok := av.(*types.AttributeValueMemberN)
			if !ok || s == nil {
				return nil, prependPath(indexStep(i), n.newError("", "a number set can only contain numbers", nil))
			}
			values = append(values, s.Value)
		}
		av := &types.AttributeValueMemberNS{Value: values}
		return av, n.checkSet(av)
	default:
		values := make([]string, 0, len(elems))
		for i, av := range elems {
			s, ok := av.(*types.AttributeValueMemberS)
			if !ok || s == nil {
				return nil, prependPath(indexStep(i), n.newError("", "a string set can only contain strings", nil))
			}
			values = append(values, s.Value)
		}
		av := &types.AttributeValueMemberSS{Value: values}
		return av, n.checkSet(av)
	}
}

// index returns the address of element i of the slice or array at p.
func (n *Node) index(p Ptr, i int) Ptr {
	if n.Kind == KindList || n.Kind == KindBytes {
		return p.sliceIndex(i, n.Elem.size)
	}
	return p.arrayIndex(i, n.Elem.size)
}

func indexStep(i int) string { return "[" + strconv.Itoa(i) + "]" }
