package core

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
)

// BoundPath is a path resolved with a plan. It identifies a place in a stored item.
type BoundPath struct {
	Plan      *Plan
	Attribute string // the top-level attribute
	// The field that stores the attribute. It is nil for an attribute of a rendered key, of the
	// library, or of the rest field.
	Field    *codec.Field
	Key      *KeyAttr      // set if the attribute is part of a key
	Elements []PathElement // the path below the attribute; empty for the whole attribute
	Leaf     Leaf
}

// PathElement is one step in a stored item: a map entry by name, or a list element by position.
type PathElement struct {
	Name   string // empty for a position
	At     int
	IsData bool // the name is a map key, not a field name: texts must not show it
}

// Leaf describes the end of a path.
type Leaf struct {
	Field *codec.Field // the struct field that stores it; nil for elements, entries, if unknown
	Node  *codec.Node  // how it is stored; nil if known at run time only
	Type  reflect.Type // the Go type of operands; nil for any
}

// String returns the place by attribute names. A name that is data, such as a map key, is shown as
// ["…"].
func (b *BoundPath) String() string {
	t := pathText{}
	if b.Field == nil && b.Key == nil {
		t.hide()
	} else {
		t.name(b.Attribute)
	}
	for _, p := range b.Elements {
		switch {
		case p.IsData:
			t.hide()
		case p.Name == "":
			t.step(&Step{Kind: StepAt, At: p.At})
		default:
			t.name(p.Name)
		}
	}
	return string(t.text)
}

// In returns the value in an item at the place, or nil if there is none.
func (b *BoundPath) In(item map[string]types.AttributeValue) types.AttributeValue {
	av := item[b.Attribute]
	for _, p := range b.Elements {
		switch at := av.(type) {
		case *types.AttributeValueMemberM:
			av = at.Value[p.Name]
		case *types.AttributeValueMemberL:
			if p.Name != "" || p.At >= len(at.Value) {
				return nil
			}
			av = at.Value[p.At]
		default:
			return nil
		}
	}
	return av
}

// Whole reports whether the path names the whole top-level attribute.
func (b *BoundPath) Whole() bool { return len(b.Elements) == 0 }

var errNoHandle = errs.New("", "the handle is empty", "make it with attr.Must")

// Bind resolves the path with a plan. It caches the result for the last plan.
func (p *Path) Bind(plan *Plan) (*BoundPath, error) {
	switch {
	case p == nil:
		return nil, errNoHandle
	case p.Err != nil:
		return nil, p.fault("cannot be used: "+p.Err.Error(), "", p.Err)
	case p.Owner != plan.Type:
		return nil, p.fault("is a field of another entity", "use a handle of "+plan.Type.String(), nil)
	}
	if b := p.bound.Load(); b != nil && b.Plan == plan {
		return b, nil
	}
	b, err := p.resolve(plan)
	if err != nil {
		return nil, err
	}
	p.bound.Store(b)
	return b, nil
}

func (p *Path) resolve(plan *Plan) (*BoundPath, error) {
	if len(p.Steps) == 0 {
		return nil, errNoHandle
	}
	w := walk{path: p, bound: BoundPath{Plan: plan}}
	if err := w.first(p.Steps[0]); err != nil {
		return nil, err
	}
	for _, s := range p.Steps[1:] {
		if err := w.step(s); err != nil {
			return nil, err
		}
	}
	if err := w.end(); err != nil {
		return nil, err
	}
	if w.bound.Attribute == "" {
		return nil, p.fault("is not stored: its entries are attributes of the item", "name an entry with attr.Key", nil)
	}
	return &w.bound, nil
}

func (p *Path) fault(reason, hint string, cause error) error {
	return &errs.ValidationError{Kind: errs.Invalid, Problems: []errs.Problem{{Field: p.String(), Reason: reason, Hint: hint, Cause: cause}}}
}
