package value

// MaxDepth is the number of nesting levels that an attribute may have.
const MaxDepth = 32

// Depth returns the number of nesting levels of a value: one, and one more for every list or map
// around the innermost value, even if that is an empty list or map. It stops one level beyond
// [MaxDepth], so it is safe for a value of any depth. [Equal] and [Size] descend all the way. An
// item is no level of its own: see [Map.Depth].
func Depth(v Value) int { return depth(v, MaxDepth+1) }

// Depth returns the nesting levels of m as an item: those of its deepest attribute.
func (m Map) Depth() int {
	deepest := 0
	for _, a := range m {
		deepest = max(deepest, Depth(a.Value))
	}
	return deepest
}

// depth returns the depth of v, or limit if that is less.
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
