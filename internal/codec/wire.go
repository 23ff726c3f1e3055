package codec

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// Wire returns the attribute types that values of the type are stored as without any options. It
// returns 0 for types that are never stored.
func (n *Node) Wire() Wire { return n.wire(plain) }

// Wire returns the attribute types that the field is stored as.
func (f *Field) Wire() Wire {
	if f.asKey != nil {
		return KeyWire(f.asKey.Type())
	}
	return f.Node.wire(f.Options).member(f.Has(NullEmpty))
}

// WireInMap returns the attribute types that values of the type are stored as in a map.
func (n *Node) WireInMap(nullEmpty bool) Wire { return n.Wire().member(nullEmpty) }

// member returns the types of a value that is left out if it is nil, unless the tag asks for NULL.
// An interface or a type's own method can still produce NULL.
func (w Wire) member(nullEmpty bool) Wire {
	switch {
	case nullEmpty:
		return w | WireNULL
	case w == WireAny:
		return w
	default:
		return w &^ WireNULL
	}
}

func (n *Node) wire(o Options) Wire {
	set := n.set(o)
	switch {
	case n.Kind == KindPtr:
		return n.Base().wire(o) | WireNULL
	case n.Enc == ViaAttribute && n.Type == unixTimeType:
		return WireN
	case n.Enc == ViaAttribute:
		return WireAny
	case n.Kind == KindTime && o.Has(UnixTime):
		return WireN
	case n.Enc == ViaText:
		return WireS
	case n.Enc == ViaBinary:
		return WireB
	case set != 0:
		return set | WireNULL
	case kindWires[n.Kind] == WireN && o.Has(AsString):
		return WireS
	default:
		return kindWires[n.Kind]
	}
}

// WireOf returns the type of an attribute value, or 0 for an unknown type.
func WireOf(av AV) Wire {
	switch av.(type) {
	case *types.AttributeValueMemberS:
		return WireS
	case *types.AttributeValueMemberN:
		return WireN
	case *types.AttributeValueMemberB:
		return WireB
	case *types.AttributeValueMemberBOOL:
		return WireBOOL
	case *types.AttributeValueMemberNULL:
		return WireNULL
	case *types.AttributeValueMemberM:
		return WireM
	case *types.AttributeValueMemberL:
		return WireL
	case *types.AttributeValueMemberSS:
		return WireSS
	case *types.AttributeValueMemberNS:
		return WireNS
	case *types.AttributeValueMemberBS:
		return WireBS
	default:
		return 0
	}
}
