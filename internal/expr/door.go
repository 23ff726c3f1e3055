package expr

import "reflect"

// CondOf and ChangeOf return the condition or change in a value of package attr, which hides them.
// Package attr sets both variables at initialization. For nil, or a value of another package, they
// return a tree with an error.
var (
	CondOf   = func(any) *Cond { return &Cond{Err: errNil} }
	ChangeOf = func(any) *Change { return &Change{Err: errNil} }
)

// CondsOf returns the conditions in a slice of any type. It is not generic, because the compiler
// would compile it again for each entity.
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

// ChangesOf returns the changes in a slice of any type, like [CondsOf].
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
