package expr

import "reflect"

// The doors into package attr, which sets them when it starts: its conditions and changes keep what they are made of to themselves.
// A nil, or a value that is none of attr's, gives a tree that carries an error.
var (
	CondOf   = func(any) *Cond { return &Cond{Err: errForeign} }
	ChangeOf = func(any) *Change { return &Change{Err: errForeign} }
)

// CondsOf opens a slice of conditions. It takes any slice, and is no generic function: that would be
// compiled again for each entity.
func CondsOf(conds any) []*Cond {
	list := reflect.ValueOf(conds)
	if !list.IsValid() || list.Len() == 0 {
		return nil
	}
	out := make([]*Cond, list.Len())
	for i := range out {
		out[i] = CondOf(list.Index(i).Interface())
	}
	return out
}

// ChangesOf opens a slice of changes, like [CondsOf].
func ChangesOf(changes any) []*Change {
	list := reflect.ValueOf(changes)
	if !list.IsValid() || list.Len() == 0 {
		return nil
	}
	out := make([]*Change, list.Len())
	for i := range out {
		out[i] = ChangeOf(list.Index(i).Interface())
	}
	return out
}
