package codec

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// encodeMap encodes a map. It copies each element to one addressable variable.
func (e *encoder) encodeMap(n *Node, p Ptr, o Options) (AV, error) {
	if n.texts && o.elem() == plain {
		return n.encodeTextMap(p)
	}
	v := p.value(n.Type)
	m := make(Item, v.Len())
	elem := reflect.New(n.Elem.Type).Elem()
	at, options := PtrOf(elem), n.Elem.inMap(o.elem())
	omitted := 0
	for iter := v.MapRange(); iter.Next(); {
		name, err := n.Key.encode(iter.Key())
		if err != nil {
			return nil, n.newError("", "a map key cannot be encoded", err)
		}
		if err := n.checkName(name); err != nil {
			return nil, err
		}
		if _, twice := m[name]; twice {
			return nil, n.newError("", "two map keys have the same text", nil)
		}
		elem.SetIterValue(iter)
		av, err := e.encode(n.Elem, at, options)
		if err != nil {
			return nil, prependPath("[*]", err)
		}
		if m[name] = av; av == nil {
			omitted++
		}
	}
	if omitted > 0 {
		maps.DeleteFunc(m, func(_ string, av AV) bool { return av == nil })
	}
	return &types.AttributeValueMemberM{Value: m}, nil
}

func (n *Node) encodeTextMap(p Ptr) (AV, error) {
	texts := *as[map[string]string](p)
	m := make(Item, len(texts))
	values := make([]types.AttributeValueMemberS, 0, len(texts))
	for name, s := range texts {
		if err := n.checkName(name); err != nil {
			return nil, err
		}
		if err := n.checkText(s); err != nil {
			return nil, prependPath("[*]", err)
		}
		values = append(values, types.AttributeValueMemberS{Value: s})
		m[name] = &values[len(values)-1]
	}
	return &types.AttributeValueMemberM{Value: m}, nil
}

// inMap returns the options of the node's values as elements of a map: nil is left out. In a map of
// interfaces, such as a document, it is a value, and stays NULL.
func (n *Node) inMap(o Options) Options {
	if n.Kind == KindAny {
		return o | keepNil
	}
	return o
}

// encodeList encodes a slice or an array as an L, or as the set that the options select. DynamoDB
// has no empty sets.
func (e *encoder) encodeList(n *Node, p Ptr, o Options) (AV, error) {
	length := p.value(n.Type).Len()
	set := n.set(o)
	switch {
	case set != 0 && length == 0:
		return nothing(o), nil
	case set == WireSS && n.texts && o.elem() == plain:
		av := &types.AttributeValueMemberSS{Value: slices.Clone(*as[[]string](p))}
		return av, n.checkSet(av)
	}
	elems, options := make([]AV, 0, length), o.elem()|keepNil
	if n.texts { // one allocation for all elements
		e = &encoder{texts: make([]types.AttributeValueMemberS, length)}
	}
	for i := range length {
		av, err := e.encode(n.Elem, p.index(n, i), options)
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

// set returns the type of set that the value is encoded as, or 0 if it is not.
func (n *Node) set(o Options) Wire {
	switch {
	case n.Kind != KindList && n.Kind != KindArray:
		return 0
	case o.Has(BinarySet) || n.binarySets:
		return WireBS
	case o.Has(NumberSet):
		return WireNS
	case o.Has(StringSet):
		return WireSS
	default:
		return 0
	}
}

// newSet makes a set of encoded elements.
func (n *Node) newSet(set Wire, elems []AV) (AV, error) {
	texts, binaries := make([]string, 0, len(elems)), make([][]byte, 0, len(elems))
	for i, elem := range elems {
		ok := false
		switch tv := elem.(type) {
		case *types.AttributeValueMemberS:
			if ok = set == WireSS && tv != nil; ok {
				texts = append(texts, tv.Value)
			}
		case *types.AttributeValueMemberN:
			if ok = set == WireNS && tv != nil; ok {
				texts = append(texts, tv.Value)
			}
		case *types.AttributeValueMemberB:
			if ok = set == WireBS && tv != nil && tv.Value != nil; ok {
				binaries = append(binaries, tv.Value)
			}
		}
		if !ok {
			return nil, prependPath(indexStep(i), n.newError("", "the element's type does not fit into a "+set.String(), nil))
		}
	}
	var av AV
	switch set {
	case WireSS:
		av = &types.AttributeValueMemberSS{Value: texts}
	case WireNS:
		av = &types.AttributeValueMemberNS{Value: texts}
	default:
		av = &types.AttributeValueMemberBS{Value: binaries}
	}
	return av, n.checkSet(av)
}

func indexStep(i int) string { return "[" + strconv.Itoa(i) + "]" }
