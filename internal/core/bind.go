package core

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/fail"
)

// Bound is a path that has met its plan: what it names in the stored item.
type Bound struct {
	Plan      *Plan
	Attribute string       // the top-level attribute
	Field     *codec.Field // the field that stands for it; nil: a key attribute, the library's own, or one that only the rest field holds
	Key       *KeyAttr     // where the attribute is part of a key
	Places    []Place      // the way below the attribute; empty: the path names it whole
	Leaf      Leaf
}

// Place is one step in a stored item: an entry of a map by name, or an element of a list by position.
type Place struct {
	Name string // empty: a position
	At   int
	Data bool // the name is a key of a map, not a field's: no text shows it
}

// Leaf is what stands at the end of a path.
type Leaf struct {
	Field *codec.Field // the struct field that stores it; nil: an element, an entry, or unknown
	Node  *codec.Node  // how it is stored; nil: only run time knows
	Type  reflect.Type // the Go type of operands; nil: any
}

// String names the place by attribute names. A name that is data, such as a key of a map, shows as ["…"].
func (b *Bound) String() string {
	t := pathText{}
	if b.Field == nil && b.Key == nil {
		t.hide()
	} else {
		t.name(b.Attribute)
	}
	for _, p := range b.Places {
		switch {
		case p.Data:
			t.hide()
		case p.Name == "":
			t.step(&Step{Kind: StepAt, At: p.At})
		default:
			t.name(p.Name)
		}
	}
	return string(t.text)
}

// In gives what an item holds at the place; nil where it is not there.
func (b *Bound) In(item map[string]types.AttributeValue) types.AttributeValue {
	av := item[b.Attribute]
	for _, p := range b.Places {
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
func (b *Bound) Whole() bool { return len(b.Places) == 0 }

var errNoHandle = fail.Refuse("", "the handle is empty", "make it with attr.Must")

// Bind finds what the path names in the items of a plan. The answer is kept: with one plan, a path is resolved once.
func (p *Path) Bind(plan *Plan) (*Bound, error) {
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

func (p *Path) resolve(plan *Plan) (*Bound, error) {
	if len(p.Steps) == 0 {
		return nil, errNoHandle
	}
	w := walk{path: p, bound: Bound{Plan: plan}}
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

// fault refuses the path.
func (p *Path) fault(reason, hint string, cause error) error {
	return &fail.Refusal{Kind: fail.Invalid, Problems: []fail.Problem{{Field: p.String(), Reason: reason, Hint: hint, Cause: cause}}}
}
