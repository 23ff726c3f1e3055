package core

import "github.com/trestledb/trestle/internal/codec"

// walk resolves a path with a plan. The leaf of bound is the current position.
type walk struct {
	path  *Path
	bound BoundPath
	rest  bool // the position is the rest field, whose entries are attributes of the item
}

// first moves to the top-level attribute.
func (w *walk) first(s *Step) error {
	plan := w.bound.Plan
	switch s.Kind {
	case StepField:
		f, below := plan.Shape.ByIndex(s.Index)
		if f == nil {
			return w.path.fault("is not stored", "a field is stored unless it is unexported or tagged -", nil)
		}
		w.top(f)
		return w.inner(below)
	case StepName:
		return w.named(s.Name)
	default:
		return w.path.fault("does not start with a field", "", nil)
	}
}

// top moves to a field of the entity.
func (w *walk) top(f *codec.Field) {
	if f == w.bound.Plan.Rest {
		w.rest = true
		return
	}
	w.bound.Attribute, w.bound.Field, w.bound.Key = f.Name, f, w.bound.Plan.KeyAttr(f.Name)
	w.bound.Leaf = Leaf{Field: f, Node: f.Node}
}

// named moves to a top-level attribute by name: a field's, a key attribute's, the library's, or one
// that the rest field holds.
func (w *walk) named(name string) error {
	plan := w.bound.Plan
	if f := plan.Shape.ByName(name); f != nil {
		w.top(f)
		return nil
	}
	key := plan.KeyAttr(name)
	if key == nil && plan.Rest == nil && !plan.IsSystem(name) {
		return w.path.fault("is no attribute of "+plan.Type.String(), "names are exact; a rest field keeps others", nil)
	}
	w.bound.Attribute, w.bound.Key = name, key
	return nil
}

// step moves below the top-level attribute.
func (w *walk) step(s *Step) error {
	if w.rest {
		if s.Kind == StepField || s.Kind == StepAt {
			return w.path.fault("goes on where nothing is known", "", nil)
		}
		w.rest = false
		return w.named(s.Name)
	}
	if s.Kind == StepField {
		if n := w.under(); n != nil && s.In != nil && n.Type != s.In {
			return w.path.fault("is taken for the type "+s.In.String()+" and stored as "+n.Type.String(), "", nil)
		}
		return w.inner(s.Index)
	}
	n := w.under()
	if n == nil {
		w.to(s.place(), nil, nil)
		return nil
	}
	if n.Enc != 0 {
		return w.misfit(n)
	}
	switch n.Kind {
	case codec.KindStruct:
		return w.member(s, n)
	case codec.KindMap:
		if s.Kind == StepAt {
			return w.misfit(n)
		}
		w.to(s.place(), nil, n.Elem)
	case codec.KindList, codec.KindArray:
		return w.element(s, n)
	case codec.KindAny, codec.KindRaw:
		w.to(s.place(), nil, nil)
	default:
		return w.misfit(n)
	}
	return nil
}

// member moves to a field of a nested struct by its attribute name.
func (w *walk) member(s *Step, n *codec.Node) error {
	if s.Kind == StepAt {
		return w.misfit(n)
	}
	f := n.Struct.ByName(s.Name)
	if f == nil {
		return w.path.fault("is no attribute of "+n.Type.String(), "names are exact", nil)
	}
	w.to(PathElement{Name: f.Name}, f, f.Node)
	return nil
}

// element moves to an element of a list. No path can select an element of a set.
func (w *walk) element(s *Step, n *codec.Node) error {
	if s.Kind != StepAt || !w.wire().Has(codec.WireL) {
		return w.misfit(n)
	}
	if n.Kind == codec.KindArray && s.At >= n.Len {
		return w.path.fault("is beyond the end of the array", "", nil)
	}
	w.to(s.place(), nil, n.Elem)
	return nil
}

// inner moves to fields of nested structs by reflect index.
func (w *walk) inner(index []int) error {
	for len(index) > 0 {
		n := w.under()
		if n == nil || n.Enc != 0 || n.Kind != codec.KindStruct {
			return w.misfit(n)
		}
		f, below := n.Struct.ByIndex(index)
		if f == nil {
			return w.path.fault("is not stored", "a field is stored unless it is unexported or tagged -", nil)
		}
		w.to(PathElement{Name: f.Name}, f, f.Node)
		index = below
	}
	return nil
}

// end sets the type of operands to the handle's type. This must be the stored type, or the type
// that a stored pointer points to.
func (w *walk) end() error {
	leaf := &w.bound.Leaf
	if leaf.Type = w.path.Leaf; leaf.Type == nil || leaf.Node == nil {
		return nil
	}
	for n := leaf.Node; n != nil; n = n.Elem {
		if n.Type == leaf.Type {
			return nil
		}
		if n.Kind != codec.KindPtr { // a pointer whose type has a method is followed, too
			break
		}
	}
	return w.path.fault("is stored as "+leaf.Node.Type.String()+", not as "+leaf.Type.String(), "", nil)
}

func (w *walk) to(p PathElement, f *codec.Field, n *codec.Node) {
	w.bound.Elements = append(w.bound.Elements, p)
	w.bound.Leaf = Leaf{Field: f, Node: n}
}

// under returns the node at the current position, after pointers, or nil if it is unknown.
func (w *walk) under() *codec.Node {
	n := w.bound.Leaf.Node
	for n != nil && n.Kind == codec.KindPtr && n.Enc == 0 {
		n = n.Elem
	}
	return n
}

func (w *walk) wire() codec.Wire {
	if f := w.bound.Leaf.Field; f != nil {
		return f.Wire()
	}
	return w.under().Wire()
}

// misfit returns an error for a step into a value that has no such parts.
func (w *walk) misfit(n *codec.Node) error {
	what := "an attribute of unknown type"
	if n != nil {
		what = "the type " + n.Type.String()
	}
	return w.path.fault("goes into "+what+", which is not stored with such parts", "", nil)
}

func (s *Step) place() PathElement {
	if s.Kind == StepAt {
		return PathElement{At: s.At}
	}
	return PathElement{Name: s.Name, IsData: true}
}
