package value

// MaxDepth is how many levels the service lets an attribute have.
const MaxDepth = 32

// Depth is how many levels a value has: one, and one more for every list or map around the innermost, even if that is empty. It looks no
// further than one level beyond [MaxDepth], so it is safe on a value of any depth, where [Equal] and [Size] go all the way down. An item is no
// level: its depth is [Map.Depth].
func Depth(v Value) int { return depth(v, MaxDepth+1) }

// Depth is how many levels m has as an item: those of its deepest attribute.
func (m Map) Depth() int {
	deepest := 0
	for _, a := range m {
		deepest = max(deepest, Depth(a.Value))
	}
	return deepest
}

// depth is the depth of v, or limit if that is less.
func depth(v Value, limit int) int {
	if limit == 1 {
		return 1
	}
	inside := 1
	switch v := v.(type) {
	case List:
		for _, element := range v {
			inside = max(inside, depth(element, limit-1))
		}
	case Map:
		for _, a := range v {
			inside = max(inside, depth(a.Value, limit-1))
		}
	default:
		return 1
	}
	return 1 + inside
}
