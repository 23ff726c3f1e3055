package codec

import (
	"strings"

	"github.com/trestledb/trestle/keys"
)

// Kind is how a node's values are stored if the type has no method for it.
type Kind uint8

// The kinds of nodes. A type with its own methods (Node.Enc, Node.Dec) has the kind of its
// underlying type. The kind decodes the attributes whose type no method accepts.
const (
	KindNone Kind = iota // chan, func, complex, uintptr, unsafe.Pointer: never stored
	KindBool
	KindInt
	KindUint
	KindFloat
	KindString
	KindNumber    // a string type that is a number literal, such as json.Number
	KindTime      // convertible to time.Time; N in Unix seconds with the option
	KindBytes     // slices of a byte type
	KindByteArray // arrays of a byte type
	KindList      // slices; can also be a set
	KindArray     // arrays; can also be a set
	KindMap
	KindStruct
	KindPtr // what it points to, or NULL
	KindAny // interfaces: by the dynamic value
	KindRaw // types.AttributeValue: unchanged
)

// kindWires holds the attribute types of each kind, without options. A kind that includes NULL has
// a nil value.
var kindWires = [...]Wire{
	KindNone:      0,
	KindBool:      WireBOOL,
	KindInt:       WireN,
	KindUint:      WireN,
	KindFloat:     WireN,
	KindString:    WireS,
	KindNumber:    WireN,
	KindTime:      WireS,
	KindBytes:     WireB | WireNULL,
	KindByteArray: WireB,
	KindList:      WireL | WireNULL,
	KindArray:     WireL,
	KindMap:       WireM | WireNULL,
	KindStruct:    WireM,
	KindPtr:       WireNULL,
	KindAny:       WireAny,
	KindRaw:       WireAny,
}

// kindKeys holds the kinds that can be part of a key. A number literal cannot, because DynamoDB
// returns it in another spelling.
var kindKeys = [KindRaw + 1]keys.Kind{
	KindBool:      keys.KindBool,
	KindInt:       keys.KindInt,
	KindUint:      keys.KindUint,
	KindFloat:     keys.KindFloat,
	KindString:    keys.KindText,
	KindTime:      keys.KindTime,
	KindBytes:     keys.KindBytes,
	KindByteArray: keys.KindBytes,
}

// numeric reports whether the kind is a number or a bool, whose zero is a value in a key. It may be
// the first constant of an enumeration.
func (k Kind) numeric() bool { return KindBool <= k && k <= KindFloat }

// Via is a set of the methods by which a type encodes or decodes itself.
type Via uint8

// The methods, in order of priority.
const (
	ViaAttribute Via = 1 << iota // attributevalue.Marshaler, attributevalue.Unmarshaler
	ViaText                      // encoding.TextMarshaler, encoding.TextUnmarshaler
	ViaBinary                    // encoding.BinaryMarshaler, encoding.BinaryUnmarshaler
)

// Wire is a set of attribute types.
type Wire uint16

// The attribute types.
const (
	WireS Wire = 1 << iota
	WireN
	WireB
	WireBOOL
	WireNULL
	WireM
	WireL
	WireSS
	WireNS
	WireBS

	// WireAny is every type: what an interface or a type's own method can produce.
	WireAny Wire = 1<<iota - 1
)

var wireNames = [...]string{"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"}

// Has reports whether all types of x are in w.
func (w Wire) Has(x Wire) bool { return w&x == x }

// String returns the types, separated by "|", such as "S|NULL".
func (w Wire) String() string {
	var names []string
	for i, name := range wireNames {
		if w&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}
