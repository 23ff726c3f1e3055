package core

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/keys"
)

// Value returns a field's value as a member of keys. It is the value that a reader of the item
// gets, which may be less exact than the one in memory. Keys rendered before and after storing are
// thus equal.
func (p *Plan) Value(f *codec.Field, at codec.Ptr) (keys.Value, error) {
	v, err := f.Key(at)
	if err == nil && f == p.Shard {
		err = p.checkShard(v)
	}
	if err == nil && f == p.Tenant {
		err = p.checkTenant(v)
	}
	if err != nil {
		return v, err
	}
	return p.RoundTrip(f, v)
}

// Values appends the values of the attribute's members. It returns false if one of them is absent
// or cannot be a part of a key.
func (a *KeyAttr) Values(p *Plan, at codec.Ptr, vals []keys.Value) (_ []keys.Value, ok bool) {
	for _, m := range a.Members {
		v, err := p.Value(m, at)
		if err != nil || v.IsAbsent() {
			return vals, false
		}
		vals = append(vals, v)
	}
	return vals, true
}

// RoundTrip returns a value as it is after it is stored and decoded.
func (p *Plan) RoundTrip(f *codec.Field, v keys.Value) (keys.Value, error) {
	switch {
	case v.IsAbsent():
		return v, nil
	case f.KeyOnly:
		return v, p.kept(f, v)
	case !p.rounds(f):
		return v, nil
	}
	e := p.NewEntity()
	if err := f.SetKey(v, e); err != nil {
		return keys.Value{}, err
	}
	av, err := f.Encode(e)
	if av == nil || err != nil {
		return keys.Value{}, err
	}
	e = p.NewEntity()
	if err := f.Decode(av, e); err != nil {
		return keys.Value{}, err
	}
	return f.Key(e)
}

// kept returns an error if only a key holds the field and the key would not preserve the value.
func (p *Plan) kept(f *codec.Field, v keys.Value) error {
	for _, a := range p.Attrs {
		for i, m := range a.Members {
			if m == f && i < len(a.Parse) && a.Parse[i] && !a.Template.Lossless(i) {
				return a.Template.Exact(i, v)
			}
		}
	}
	return nil
}

// rounds reports whether the attribute may hold less than the field: a time in seconds, a folded
// text, a time to live of 0.
func (p *Plan) rounds(f *codec.Field) bool {
	if !f.CanSetKey() {
		return false
	}
	if f.Has(codec.UnixTime) || f == p.TTL {
		return true
	}
	a := p.Native(f)
	return a != nil && !a.Template.Lossless(0)
}

// Native returns the key attribute that is the field itself, or nil.
func (p *Plan) Native(f *codec.Field) *KeyAttr {
	for _, a := range p.Attrs {
		if a.Field == f {
			return a
		}
	}
	return nil
}

// NewEntity returns a new zero entity.
func (p *Plan) NewEntity() codec.Ptr { return codec.PtrOf(reflect.New(p.Type).Elem()) }
