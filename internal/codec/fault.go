package codec

import (
	"fmt"
	"reflect"
)

// fault is why values of a type would not be read again as they were stored.
type fault struct {
	reason, hint string
	lost         bool // a part of the value would not be stored
}

// notStored is the hint for a field that needs no attribute.
const notStored = `tag it "-"`

// fault returns the fault of the node's type, or of its elements or map keys. Its reason is empty
// if there is none. It does not cover the fields of structs.
func (n *Node) fault() fault {
	for range maxDepth {
		if f := n.formFault(); f.reason != "" {
			return f
		}
		switch {
		case n.Enc != 0, n.Kind == KindBytes, n.Kind == KindByteArray:
			return fault{}
		case n.Kind == KindNone:
			return fault{fmt.Sprintf("a value of type %s cannot be stored", n.Type), notStored, true}
		case n.hasMethods && n.Kind == KindAny:
			return fault{fmt.Sprintf("%s is an interface with methods, so a stored value could not be read", n.Type), "use any or a type, or " + notStored, false}
		case n.Kind == KindRaw && n.Type.Kind() != reflect.Interface && !sdkType(n.Type):
			return fault{fmt.Sprintf("%s embeds an attribute value, so it cannot be stored", n.Type), "name the embedded field", true}
		case n.Kind == KindStruct && len(n.Struct.fields) == 0 && hidesValue(n.Type):
			return fault{fmt.Sprintf("no field of %s is exported, so nothing of its value would be stored", n.Type), notStored + ", or add the methods MarshalText and UnmarshalText to the type", true}
		case n.Kind == KindMap && !n.Key.valid():
			return fault{"the map's key type cannot be encoded", "use strings, numbers, bools, or types with MarshalText and UnmarshalText", false}
		case n.Kind == KindMap && n.Key.EncText && !n.Key.DecText:
			return n.Key.Node.writeOnly("Text")
		case n.Elem == nil:
			return fault{}
		}
		n = n.Elem
	}
	return fault{}
}

// formFault returns the fault of the type's own methods.
func (n *Node) formFault() fault {
	if n.Kind == KindMap && n.Enc == 0 && n.Key.EncText {
		if f := n.Key.Node.embeddedForm(textMarshalerType); f.reason != "" {
			return f
		}
		if f := n.Key.Node.nilForm(); f.reason != "" {
			return f
		}
	}
	if f := n.methodFault(); f.reason != "" || n.Enc == 0 && n.Dec == 0 {
		return f
	}
	return n.nilForm()
}

func (n *Node) methodFault() fault {
	if n.Enc == 0 && n.Dec&ViaAttribute != 0 { // it reads what its kind writes
		f := n.embeddedForm(unmarshalerType)
		f.lost = false
		return f
	}
	for _, m := range codecMethods {
		if n.Enc != m.via {
			continue
		}
		if f := n.embeddedForm(m.enc); f.reason != "" {
			return f
		}
		if n.Dec&(m.via|ViaAttribute) == 0 {
			return n.writeOnly(m.name)
		}
	}
	return fault{}
}

// writeOnly returns the fault of a type that has the method that encodes and not the one that
// decodes. Its kind would read the text of the method as the value, or not at all.
func (n *Node) writeOnly(method string) fault {
	t := n.Base().Type
	hint := "add the method Unmarshal" + method
	if t.Name() == "" { // its methods are those of an embedded type
		hint = "give the type a name"
	}
	return fault{fmt.Sprintf("%[1]s has Marshal%[2]s but not Unmarshal%[2]s, so a stored value could not be read", t, method), hint, false}
}

// sdkType reports whether a type of attribute values is one of the SDK's, and not a type that
// embeds one.
func sdkType(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().PkgPath() == rawType.PkgPath()
}

// hidesValue reports whether a struct type, or one that it embeds, has fields that are not
// exported. The codec does not store them.
func hidesValue(t reflect.Type) bool {
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			if hidesValue(f.Type) {
				return true
			}
		case !f.IsExported() && f.Name != "_" && f.Type.Size() > 0:
			return true
		}
	}
	return false
}
