package codec

import (
	"encoding"
	"reflect"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
)

// Node describes how a Go type is stored. Nodes are shared by all plans and are immutable.
type Node struct {
	Kind   Kind
	Type   reflect.Type
	Enc    Via     // at most one bit: the method that encodes; 0: by Kind
	Dec    Via     // the methods that decode; Kind decodes the attributes that none of them accepts
	Elem   *Node   // of pointers, lists, arrays, bytes and maps
	Key    *MapKey // of maps
	Struct *Struct // of structs
	Bits   uint8   // size of numbers: 8 to 64
	Len    int     // of arrays

	size       uintptr // of one value in memory
	simple     bool    // Kind alone decodes it: no pointer, interface, method or raw attribute value
	binarySets bool    // [][]byte, a BS without an option
	texts      bool    // convertible to []string or map[string]string
	hasMethods bool    // an interface with methods: only NULL can be decoded
	textual    bool    // has MarshalText, whatever Enc is: in keys it has priority over the kind
	timeText   bool    // its MarshalText writes an embedded time: not textual, see TimeText
}

var (
	timeType       = reflect.TypeFor[time.Time]()
	byteSlicesType = reflect.TypeFor[[][]byte]()
	textsType      = reflect.TypeFor[[]string]()
	textMapType    = reflect.TypeFor[map[string]string]()
	rawType        = reflect.TypeFor[AV]()

	marshalerType       = reflect.TypeFor[attributevalue.Marshaler]()
	unmarshalerType     = reflect.TypeFor[attributevalue.Unmarshaler]()
	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
	numberType          = reflect.TypeFor[interface {
		Float64() (float64, error)
		Int64() (int64, error)
		String() string
	}]()
)

// codecMethods holds the types of the methods, in order of priority.
var codecMethods = [...]struct {
	via      Via
	enc, dec reflect.Type
}{
	{ViaAttribute, marshalerType, unmarshalerType},
	{ViaText, textMarshalerType, textUnmarshalerType},
	{ViaBinary, reflect.TypeFor[encoding.BinaryMarshaler](), reflect.TypeFor[encoding.BinaryUnmarshaler]()},
}

// nodeKey identifies a node. Encoding calls methods with a pointer receiver only on addressable
// values. Map elements and values in interfaces are not addressable.
type nodeKey struct {
	t       reflect.Type
	address bool
}

var (
	nodes    sync.Map // nodeKey to *Node, complete ones only
	building sync.Mutex
)

// nodeOf returns the node of any type. The first call compiles it.
func nodeOf(k nodeKey) *Node {
	if n, ok := nodes.Load(k); ok {
		return n.(*Node)
	}
	var n *Node
	build(func(b builder) { n = b.node(k) })
	return n
}

// build calls f with a builder and publishes the nodes that it built.
func build(f func(builder)) {
	building.Lock()
	defer building.Unlock()
	b := builder{}
	f(b)
	for k, n := range b {
		nodes.LoadOrStore(k, n)
	}
}

// builder holds the nodes under construction, so that recursive types terminate.
type builder map[nodeKey]*Node

func (b builder) node(k nodeKey) *Node {
	if n, ok := nodes.Load(k); ok {
		return n.(*Node)
	}
	if n, ok := b[k]; ok {
		return n
	}
	n := &Node{Type: k.t, size: k.t.Size()}
	b[k] = n
	b.methods(n, k)
	b.shape(n, k.address)
	n.simple = n.Dec == 0 && n.Kind != KindPtr && n.Kind != KindAny && n.Kind != KindRaw
	return n
}

// methods finds the methods that encode and decode the type. Encoding uses the value's own method
// set, or the pointer's if the value is addressable and has a named type. Decoding always has an
// address.
func (b builder) methods(n *Node, k nodeKey) {
	enc, dec := k.t, k.t
	if k.t.Kind() != reflect.Pointer {
		if k.t.Name() != "" {
			dec = reflect.PointerTo(k.t)
		}
		if k.address {
			enc = dec
		}
	}
	if k.t.Kind() == reflect.Interface || dec.NumMethod() == 0 {
		return
	}
	n.textual = dec.Implements(textMarshalerType)
	if n.textual && writesTime(k.t) {
		n.textual, n.timeText = false, true
	}
	for _, m := range codecMethods {
		if n.Enc == 0 && enc.Implements(m.enc) {
			n.Enc = m.via
		}
		if dec.Kind() == reflect.Pointer && dec.Implements(m.dec) { // not of an unnamed type
			n.Dec |= m.via
		}
	}
}

// shape sets the fields that follow from the underlying type.
func (b builder) shape(n *Node, address bool) {
	t := n.Type
	if t.Implements(rawType) {
		n.Kind = KindRaw
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		n.Kind = KindBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.Kind, n.Bits = KindInt, uint8(t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n.Kind, n.Bits = KindUint, uint8(t.Bits())
	case reflect.Float32, reflect.Float64:
		n.Kind, n.Bits = KindFloat, uint8(t.Bits())
	case reflect.String:
		n.Kind = KindString
		if t.Implements(numberType) {
			n.Kind = KindNumber
		}
	case reflect.Slice:
		n.Kind, n.binarySets = KindList, t == byteSlicesType
		if t.Elem().Kind() == reflect.Uint8 {
			n.Kind = KindBytes
		}
		n.Elem, n.texts = b.node(nodeKey{t.Elem(), true}), t.ConvertibleTo(textsType)
	case reflect.Array:
		n.Kind, n.Len = KindArray, t.Len()
		if t.Elem().Kind() == reflect.Uint8 {
			n.Kind = KindByteArray
		}
		n.Elem = b.node(nodeKey{t.Elem(), address})
	case reflect.Map:
		n.Kind = KindMap
		n.Key = b.mapKey(t.Key())
		n.Elem, n.texts = b.node(nodeKey{t.Elem(), false}), t.ConvertibleTo(textMapType)
	case reflect.Struct:
		if t.ConvertibleTo(timeType) {
			n.Kind = KindTime
			return
		}
		n.Kind = KindStruct
		n.Struct = b.compile(t, address)
	case reflect.Pointer:
		if !onlyPointers(t) {
			n.Kind = KindPtr
			n.Elem = b.node(nodeKey{t.Elem(), true})
		}
		if n.Elem != nil && n.Elem.Kind == KindTime {
			n.Enc = 0 // the options of a time have priority over its methods
		}
	case reflect.Interface:
		n.Kind, n.hasMethods = KindAny, t.NumMethod() > 0
	}
}

// onlyPointers reports whether a pointer type points only to pointers, such as type P *P.
func onlyPointers(t reflect.Type) bool {
	for range maxDepth {
		if t.Kind() != reflect.Pointer {
			return false
		}
		t = t.Elem()
	}
	return true
}
