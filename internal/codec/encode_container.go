package codec

import (
	"errors"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// mapping encodes a map. It copies each element to one addressable variable.
func (e *encoder) mapping(n *Node, p Ptr, o *Options) (AV, error) {
	if n.texts && o.elem() == plain {
		return n.textMapping(p)
	}
	v := p.value(n.Type)
	m := make(Item, v.Len())
	elem := reflect.New(n.Elem.Type).Elem()
	at, options := PtrOf(elem), o.elem()
	for iter := v.MapRange(); iter.Next(); {
		name, err := n.Key.encode(iter.Key())
		if err != nil {
			return nil, n.keyFault(err)
		}
		if m[name] != nil {
			return nil, n.fault("", "two map keys are written alike", nil)
		}
		elem.SetIterValue(iter)
		av, err := e.encode(n.Elem, at, options)
		if err != nil {
			return nil, within("[*]", err)
		}
		if av != nil {
			m[name] = av
		}
	}
	return &types.AttributeValueMemberM{Value: m}, nil
}

// keyFault returns an error for a map key that cannot be encoded. The text does not contain the
// key.
func (n *Node) keyFault(err error) error {
	switch {
	case errors.Is(err, errEmptyKey):
		return n.fault("", "a map key is empty, and attributes need a name", err)
	case errors.Is(err, errKeyText):
		return n.fault("", "a map key is not UTF-8", err)
	default:
		return n.fault("", "a map key cannot be written", err)
	}
}

func (n *Node) textMapping(p Ptr) (AV, error) {
	texts := p.textMap()
	m := make(Item, len(texts))
	values := make([]types.AttributeValueMemberS, 0, len(texts))
	for name, s := range texts {
		if name == "" {
			return nil, n.keyFault(errEmptyKey)
		}
		if !utf8.ValidString(name) {
			return nil, n.keyFault(errKeyText)
		}
		if err := n.checkText(s); err != nil {
			return nil, within("[*]", err)
		}
		values = append(values, types.AttributeValueMemberS{Value: s})
		m[name] = &values[len(values)-1]
	}
	return &types.AttributeValueMemberM{Value: m}, nil
}

// textList encodes a []string as an L, or as an SS.
func (n *Node) textList(p Ptr, set Wire) (AV, error) {
	texts := p.texts()
	for i, s := range texts {
		if err := n.checkText(s); err != nil {
			return nil, within(offset(i), err)
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

// list encodes a slice or an array as an L, or as the set that the options select. An empty set is
// NULL.
func (e *encoder) list(n *Node, p Ptr, o *Options) (AV, error) {
	length := n.Len
	if n.Kind == KindList {
		length = p.sliceLen()
	}
	set := n.set(o)
	if set != 0 && length == 0 {
		return null(), nil
	}
	if n.texts && o.elem() == plain && (set == 0 || set == WireSS) {
		return n.textList(p, set)
	}
	elems := make([]AV, 0, length)
	options := o.elem()
	for i := range length {
		av, err := e.encode(n.Elem, n.index(p, i), options)
		if err != nil {
			return nil, within(offset(i), err)
		}
		if av != nil {
			elems = append(elems, av)
		}
	}
	if set == 0 {
		return &types.AttributeValueMemberL{Value: elems}, nil
	}
	return n.gather(set, elems)
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

// gather makes a set of encoded elements.
func (n *Node) gather(set Wire, elems []AV) (AV, error) {
	switch set {
	case WireBS:
		values := make([][]byte, 0, len(elems))
		for i, av := range elems {
			b, ok := av.(*types.AttributeValueMemberB)
			if !ok || b == nil || b.Value == nil {
				return nil, within(offset(i), n.fault("", "a binary set holds bytes only", nil))
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
				return nil, within(offset(i), n.fault("", "a number set holds numbers only", nil))
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
				return nil, within(offset(i), n.fault("", "a string set holds strings only", nil))
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

func offset(i int) string { return "[" + strconv.Itoa(i) + "]" }
