package codec

import "time"

// find returns the address of the field in the struct at p. It returns false if an embedded pointer
// on the path is nil.
func (f *Field) find(p Ptr) (Ptr, bool) {
	for _, h := range f.hops {
		if p = p.field(h.offset, h.index); p.isNil() {
			return Ptr{}, false
		}
		p = p.deref()
	}
	return p.field(f.offset, f.leaf), true
}

// allocate returns the address of the field in the struct at p. It allocates embedded structs on
// the path. The compiler inlines it.
func (f *Field) allocate(p Ptr) Ptr {
	if f.hops == nil {
		return p.field(f.offset, f.leaf)
	}
	return f.allocateEmbedded(p)
}

//go:noinline
func (f *Field) allocateEmbedded(p Ptr) Ptr {
	for _, h := range f.hops {
		if p = p.field(h.offset, h.index); p.isNil() {
			p.alloc(h.elem)
		}
		p = p.deref()
	}
	return p.field(f.offset, f.leaf)
}

// IsZero reports whether the field of the struct at p has the Go zero value. A field behind a nil
// embedded pointer is zero.
func (f *Field) IsZero(p Ptr) bool {
	if f.derived != nil {
		return false
	}
	at, ok := f.find(p)
	switch {
	case !ok:
		return true
	case f.Node.Kind == KindTime:
		return as[time.Time](at).IsZero()
	default:
		return at.value(f.Node.Type).IsZero()
	}
}

// Encode returns the attribute of the field in the struct at p, or nil if the field is omitted. An
// error is a *FieldError.
func (f *Field) Encode(p Ptr) (AV, error) { return f.encodeIn(&encoder{}, p) }

// EncodeOperand returns the attribute that the field would store for the value that v points to. v
// must be a non-nil pointer to the field's type. It returns nil if the value would be omitted.
func (f *Field) EncodeOperand(v any) (AV, error) { return f.encode(&encoder{}, PtrTo(v)) }

// IsNothing reports whether the value that v points to is nil, or an empty set, which the field
// omits or stores as NULL. v must be a non-nil pointer to the field's type.
func (f *Field) IsNothing(v any) bool {
	av, err := (&encoder{}).encode(f.Node, PtrTo(v), f.Options&^(OmitEmpty|NullEmpty))
	return av == nil && err == nil && f.Wire() != 0
}

// encodeIn encodes the field of the struct at p.
func (f *Field) encodeIn(e *encoder, p Ptr) (AV, error) {
	at, ok := f.find(p)
	if !ok {
		return nil, nil
	}
	return f.encode(e, at)
}

func (f *Field) encode(e *encoder, at Ptr) (av AV, err error) {
	switch {
	case f.KeyOnly:
	case f.asKey != nil:
		av, err = f.encodeKey(at)
	case f.ttl && f.Node.zero(at), f.OmitZero && f.absent(at):
	default:
		av, err = e.encode(f.Node, at, f.Options)
	}
	return av, prependPath(f.GoName, err)
}

// isText reports whether the field decodes an S to its text unchanged.
func (f *Field) isText() bool { return f.Node.Kind == KindString && f.Node.Dec == 0 && f.asKey == nil }

// StoreUnix stores a time as N, in seconds since 1970, whatever its tag is. Integers are stored as
// they are. A zero value is then omitted. Any other type is an error.
func (f *Field) StoreUnix() error {
	switch base := f.Node.Base(); {
	case base.Kind == KindTime && (base.Enc != ViaAttribute || base.Type == unixTimeType):
		f.Options |= UnixTime
	case base.Enc == 0 && (base.Kind == KindInt || base.Kind == KindUint) && !f.Has(AsString):
	default:
		return f.typeError("the time to live must be a time.Time or an integer")
	}
	f.ttl = true
	return nil
}

func (f *Field) typeError(reason string) error {
	return &FieldError{Field: f.GoName, GoType: f.Node.Type.String(), Reason: reason}
}

// zero reports whether a time or a number, also behind pointers, is zero or nil.
func (n *Node) zero(p Ptr) bool {
	for ; n.Kind == KindPtr; n = n.Elem {
		if p.isNil() {
			return true
		}
		p = p.deref()
	}
	if n.Kind == KindTime {
		return as[time.Time](p).IsZero()
	}
	return n.empty(p)
}

// EncodeOperand returns the attribute of the value that v points to, as an element of a list. v
// must be a non-nil pointer to the node's type. No value is omitted: nil is NULL. A value that is
// never stored, such as a func, is an error.
func (n *Node) EncodeOperand(v any) (AV, error) {
	av, err := (&encoder{}).encode(n, PtrTo(v), keepNil)
	if err == nil && av == nil {
		err = n.newError("", "a value of this type is never stored", nil)
	}
	return av, err
}

// EncodeInMap is EncodeOperand for a value of a map. It returns nil if the value would be omitted.
func (n *Node) EncodeInMap(v any) (AV, error) {
	av, err := (&encoder{}).encode(n, PtrTo(v), n.inMap(plain))
	if av == nil && err == nil && n.Kind == KindNone {
		return n.EncodeOperand(v) // the error
	}
	return av, err
}
