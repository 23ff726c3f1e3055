package codec

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
// the path.
func (f *Field) allocate(p Ptr) Ptr {
	for _, h := range f.hops {
		if p = p.field(h.offset, h.index); p.isNil() {
			p = p.alloc(h.elem)
		} else {
			p = p.deref()
		}
	}
	return p.field(f.offset, f.leaf)
}

// Value returns the address of the field in the struct at p. It returns false if an embedded
// pointer on the path is nil: then the field has no value.
func (f *Field) Value(p Ptr) (Ptr, bool) { return f.find(p) }

// IsZero reports whether the field of the struct at p has the Go zero value. A field behind a nil
// embedded pointer is zero.
func (f *Field) IsZero(p Ptr) bool {
	at, ok := f.find(p)
	switch {
	case !ok:
		return true
	case f.Node.Kind == KindTime:
		return at.time().IsZero()
	default:
		return at.value(f.Node.Type).IsZero()
	}
}

// Encode returns the attribute of the field in the struct at p, or nil if the field is omitted. An
// error is a *FieldError.
func (f *Field) Encode(p Ptr) (AV, error) {
	at, ok := f.find(p)
	if !ok {
		return nil, nil
	}
	return f.encodeAlone(at)
}

// EncodeOperand returns the attribute that the field would store for the value that v points to. v
// must be a non-nil pointer to the field's type. It returns nil if the value would be omitted.
func (f *Field) EncodeOperand(v any) (AV, error) { return f.encodeAlone(PtrTo(v)) }

func (f *Field) encodeAlone(at Ptr) (AV, error) {
	if f.KeyOnly {
		return nil, nil
	}
	av, err := f.encode(&encoder{}, at)
	return av, prependPath(f.GoName, err)
}

func (f *Field) encode(e *encoder, at Ptr) (AV, error) {
	switch {
	case f.asKey != nil:
		return f.encodeKey(at)
	case f.ttl && f.Node.zero(at), f.OmitZero && f.absent(at):
		return nil, nil
	default:
		return e.encode(f.Node, at, &f.Options)
	}
}

// Decode sets the field of the struct at p from its attribute. The field must hold its zero value.
// An error is a *FieldError.
func (f *Field) Decode(av AV, p Ptr) error {
	return prependPath(f.GoName, f.decode(av, f.allocate(p)))
}

func (f *Field) decode(av AV, at Ptr) error {
	if f.asKey != nil && !isNull(av) {
		return f.decodeKey(av, at)
	}
	return f.Node.decode(av, at, &f.Options)
}

// StoreUnix stores a time as N, in seconds since 1970, whatever its tag is. Integers are stored as
// they are. A zero value is then omitted. Any other type is an error.
func (f *Field) StoreUnix() error {
	switch base := f.Node.Base(); {
	case base.Kind == KindTime && (base.Enc != ViaAttribute || base.Type == unixTimeType):
		f.UnixTime = true
	case base.Enc == 0 && (base.Kind == KindInt || base.Kind == KindUint) && !f.AsString:
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
		return p.time().IsZero()
	}
	return n.empty(p)
}

// EncodeOperand returns the attribute of the value that v points to. v must be a non-nil pointer to
// the node's type. No value is omitted: nil is NULL. A value that is never stored, such as a func,
// is an error.
func (n *Node) EncodeOperand(v any) (AV, error) {
	e := encoder{}
	av, err := e.encode(n, PtrTo(v), plain)
	if err == nil && av == nil {
		err = n.newError("", "a value of this type is never stored", nil)
	}
	return av, err
}
