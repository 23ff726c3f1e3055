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
	hasIsZero  bool    // its method IsZero says which values are empty
	textual    bool    // has MarshalText, whatever Enc is: in keys it has priority over the kind
	timeText   bool    // its MarshalText writes an embedded time: not textual, see TimeText
}

var (
	timeType       = reflect.TypeFor[time.Time]()
	byteSlicesType = reflect.TypeFor[[][]byte]()
	textsType      = reflect.TypeFor[[]string]()
	textMapType    = reflect.TypeFor[map[string]string]()
	rawType        = reflect.TypeFor[AV]()

	zeroerType          = reflect.TypeFor[zeroer]()
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
	name     string // of both methods, after Marshal and Unmarshal
}{
	{ViaAttribute, marshalerType, unmarshalerType, "DynamoDBAttributeValue"},
	{ViaText, textMarshalerType, textUnmarshalerType, "Text"},
	{ViaBinary, reflect.TypeFor[encoding.BinaryMarshaler](), reflect.TypeFor[encoding.BinaryUnmarshaler](), "Binary"},
}

var (
	nodes    sync.Map // reflect.Type to *Node, complete ones only
	building sync.Mutex
)

// nodeOf returns the node of any type. The first call compiles it.
func nodeOf(t reflect.Type) *Node {
	if n, ok := nodes.Load(t); ok {
		return n.(*Node)
	}
	var n *Node
	build(func(b builder) { n = b.node(t) })
	return n
}

// build calls f with a builder and publishes the nodes that it built.
func build(f func(builder)) {
	building.Lock()
	defer building.Unlock()
	b := builder{}
	f(b)
	for t, n := range b {
		nodes.LoadOrStore(t, n)
	}
}

// builder holds the nodes under construction, so that recursive types terminate.
type builder map[reflect.Type]*Node

func (b builder) node(t reflect.Type) *Node {
	if n, ok := nodes.Load(t); ok {
		return n.(*Node)
	}
	if n, ok := b[t]; ok {
		return n
	}
	n := &Node{Type: t, size: t.Size()}
	b[t] = n
	n.findMethods()
	b.shape(n)
	n.simple = n.Dec == 0 && n.Kind != KindPtr && n.Kind != KindAny && n.Kind != KindRaw
	return n
}

// findMethods finds the methods that encode and decode the type. Those of a named type may have a
// pointer receiver, because each value that is encoded or decoded has an address.
func (n *Node) findMethods() {
	t := n.Type
	if t.Kind() != reflect.Pointer && t.Name() != "" {
		t = reflect.PointerTo(t)
	}
	if n.Type.Kind() == reflect.Interface || t.NumMethod() == 0 {
		return
	}
	n.textual = t.Implements(textMarshalerType)
	if n.textual && writesTime(n.Type) {
		n.textual, n.timeText = false, true
	}
	kind := n.Type.Kind()
	n.hasIsZero = (kind == reflect.Struct || kind == reflect.Array) && t.Implements(zeroerType)
	for _, m := range codecMethods {
		if n.Enc == 0 && t.Implements(m.enc) {
			n.Enc = m.via
		}
		if t.Kind() == reflect.Pointer && t.Implements(m.dec) && (n.Enc == m.via || m.via == ViaAttribute || !onNil(t.Elem(), m.dec)) { // not of an unnamed type
			n.Dec |= m.via
		}
	}
	n.hasIsZero = n.hasIsZero && n.Enc != 0 && !n.Type.ConvertibleTo(timeType)
}

// shape sets the fields that follow from the underlying type.
func (b builder) shape(n *Node) {
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
		n.Elem, n.texts = b.node(t.Elem()), t.ConvertibleTo(textsType)
	case reflect.Array:
		n.Kind, n.Len = KindArray, t.Len()
		if t.Elem().Kind() == reflect.Uint8 {
			n.Kind = KindByteArray
		}
		n.Elem = b.node(t.Elem())
	case reflect.Map:
		n.Kind = KindMap
		n.Key = b.mapKey(t.Key())
		n.Elem, n.texts = b.node(t.Elem()), t.ConvertibleTo(textMapType)
	case reflect.Struct:
		if t.ConvertibleTo(timeType) {
			n.Kind = KindTime
			return
		}
		n.Kind = KindStruct
		n.Struct = b.compile(t)
	case reflect.Pointer:
		if !onlyPointers(t) {
			n.Kind = KindPtr
			n.Elem = b.node(t.Elem())
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
