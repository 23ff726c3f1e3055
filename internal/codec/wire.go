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
	w := f.Node.wire(&f.Options)
	if f.NullEmpty {
		w |= WireNULL
	}
	return w
}

func (n *Node) wire(o *Options) Wire {
	switch {
	case n.Kind == KindPtr:
		return n.Base().wire(o) | WireNULL
	case n.Enc == ViaAttribute && n.Type == unixTimeType:
		return WireN
	case n.Enc == ViaAttribute:
		return WireAny
	case n.Kind == KindTime && o.UnixTime:
		return WireN
	case n.Enc == ViaText:
		return WireS
	case n.Enc == ViaBinary:
		return WireB
	}
	return n.wireOfKind(o)
}

func (n *Node) wireOfKind(o *Options) Wire {
	switch n.Kind {
	case KindBool:
		return WireBOOL
	case KindInt, KindUint, KindFloat, KindNumber:
		if o.AsString {
			return WireS
		}
		return WireN
	case KindString, KindTime:
		return WireS
	case KindBytes:
		return WireB | WireNULL
	case KindByteArray:
		return WireB
	case KindList, KindArray:
		if set := n.set(o); set != 0 {
			return set | WireNULL
		}
		if n.Kind == KindArray {
			return WireL
		}
		return WireL | WireNULL
	case KindMap:
		return WireM | WireNULL
	case KindStruct:
		return WireM
	case KindAny, KindRaw:
		return WireAny
	default:
		return 0
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
