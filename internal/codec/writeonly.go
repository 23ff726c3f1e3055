package codec

import "reflect"

// writeOnly returns the type of the node, or of its elements or map keys, that encodes itself by a
// method and cannot decode the result: neither by the opposite method nor by its kind. method is
// Text or Binary. It returns nil if there is none.
func (n *Node) writeOnly(o Options) (t reflect.Type, method string) {
	for range maxDepth {
		switch {
		case n.Enc == ViaText && !n.decodes(WireS, o):
			return n.Base().Type, "Text"
		case n.Enc == ViaBinary && !n.decodes(WireB, o):
			return n.Base().Type, "Binary"
		case n.Enc != 0, n.Elem == nil:
			return nil, ""
		case n.Kind == KindMap && n.Key.EncText && !n.Key.DecText && !n.Key.Node.decodes(WireS, plain):
			return n.Key.Node.Base().Type, "Text"
		}
		if n.Kind != KindPtr {
			o = plain // only a number that is the field's value has the option string
		}
		n = n.Elem
	}
	return nil, ""
}

// decodes reports whether a method or the kind of the node decodes attributes of type S or B.
func (n *Node) decodes(w Wire, o Options) bool {
	dec := n.Dec
	for n.Kind == KindPtr {
		dec, n = n.Dec, n.Elem
	}
	if w == WireB {
		return dec&(ViaAttribute|ViaBinary) != 0 || n.Kind == KindBytes || n.Kind == KindByteArray
	}
	return dec&(ViaAttribute|ViaText) != 0 || n.Kind == KindString || n.Kind == KindNumber || n.Kind == KindTime || o.Has(AsString)
}
