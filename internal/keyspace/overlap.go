package keyspace

// CompositeKey has the keys of one type on a table or an index.
type CompositeKey struct {
	Partition *Space
	Sort      *Space // nil if there is no sort key
}

func (k CompositeKey) defined() bool {
	return k.Partition.Defined() && (k.Sort == nil || k.Sort.Defined())
}

// OverlapKind is the way in which the keys of two types overlap.
type OverlapKind uint8

// The kinds of overlaps.
const (
	SameKey OverlapKind = iota + 1 // both types can have the same key
	InRange                        // a query of one type can read a key of the other
)

// Overlap describes how the keys of two types A and B overlap, with example keys.
type Overlap struct {
	Kind         OverlapKind
	PartitionKey string // example key of both
	KeyA, KeyB   string // example sort keys, equal for SameKey; empty without sort keys
	// Query is, for InRange, the widest range of one type. It contains the other type's example
	// key.
	Query Range
	// QueryOfB means, for InRange, that Query is of type B and contains KeyA.
	QueryOfB bool
}

// FindOverlap reports whether the keys of two types overlap on one table or index. They overlap if
// their partition keys can be equal and either their sort keys can be equal or a query of one type
// can read a sort key of the other. Partition keys and sort keys are compared separately, even if
// both contain the same field.
//
// Keys of different attribute types do not overlap, because one index cannot have both.
func FindOverlap(a, b CompositeKey) (Overlap, bool) {
	if !a.defined() || !b.defined() {
		return Overlap{}, false
	}
	partition, ok := sameKey(a.Partition, b.Partition)
	if !ok {
		return Overlap{}, false
	}
	o := Overlap{Kind: SameKey, PartitionKey: partition}
	if a.Sort == nil || b.Sort == nil {
		return o, true
	}
	if a.Sort.Type != b.Sort.Type {
		return Overlap{}, false
	}
	if key, ok := sameKey(a.Sort, b.Sort); ok {
		o.KeyA, o.KeyB = key, key
		return o, true
	}
	o.Kind = InRange
	if key, ok := keyInRange(a.Sort, b.Sort.widest()); ok {
		o.KeyA, o.KeyB, o.QueryOfB, o.Query = key, b.Sort.example(), true, b.Sort.widest()
		return o, true
	}
	if key, ok := keyInRange(b.Sort, a.Sort.widest()); ok {
		o.KeyB, o.KeyA, o.Query = key, a.Sort.example(), a.Sort.widest()
		return o, true
	}
	return Overlap{}, false
}

// sameKey returns a key of both spaces.
func sameKey(a, b *Space) (string, bool) {
	if a.Type != b.Type {
		return "", false
	}
	return sharedText(a.automaton(), b.automaton())
}

// keyInRange returns a key of s that is in the result of widest of another space.
func keyInRange(s *Space, r Range) (string, bool) {
	v := &interval{lo: []rune(r.Lo), hi: []rune(r.Hi)}
	switch r.Op {
	case All:
		v = anyText
	case Eq:
		v.hi = v.lo
	case None:
		return "", false
	}
	return sharedText(s.automaton(), v)
}
