package codec

import "strings"

// Kind is how a node's values are stored if the type has no method for it.
type Kind uint8

// The kinds of nodes. A type with its own methods (Node.Enc, Node.Dec) has the kind of its
// underlying type. The kind decodes the attributes whose type no method accepts.
const (
	KindNone      Kind = iota // chan, func, complex, uintptr, unsafe.Pointer: never stored
	KindBool                  // BOOL
	KindInt                   // N
	KindUint                  // N
	KindFloat                 // N
	KindString                // S
	KindNumber                // N: a string type that is a number literal, such as json.Number
	KindTime                  // S in RFC 3339, or N in Unix seconds; convertible to time.Time
	KindBytes                 // B: slices of a byte type
	KindByteArray             // B: arrays of a byte type
	KindList                  // L, or a set: slices
	KindArray                 // L, or a set: arrays
	KindMap                   // M
	KindStruct                // M
	KindPtr                   // what it points to, or NULL
	KindAny                   // interfaces: by the dynamic value
	KindRaw                   // types.AttributeValue: unchanged
)

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
