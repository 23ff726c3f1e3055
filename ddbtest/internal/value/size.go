package value

// What the service charges beside the contents.
const (
	scalarSize    = 1 // a Bool or a Null
	containerSize = 3 // a List or a Map
	elementSize   = 1 // each element of one
)

// Size is how many bytes the service charges for a value: a text in UTF-8, a byte string as long as it is, a number by its digits, 1 for a Bool
// or a Null, a set its members, a list or a map 3 and for each element 1, its name and its value. No value, which is nil, is charged nothing.
func Size(v Value) int {
	switch v := v.(type) {
	case String:
		return len(v)
	case Number:
		return v.Size()
	case Binary:
		return len(v)
	case Bool, Null:
		return scalarSize
	case List:
		size := containerSize + len(v)*elementSize
		for _, element := range v {
			size += Size(element)
		}
		return size
	case Map:
		return containerSize + len(v)*elementSize + v.Size()
	case StringSet:
		return sizeOfTexts(v)
	case NumberSet:
		size := 0
		for _, member := range v {
			size += member.Size()
		}
		return size
	case BinarySet:
		return sizeOfTexts(v)
	}
	return 0
}

// Size is how many bytes the service charges for m as an item: its names and values.
func (m Map) Size() int {
	size := 0
	for _, a := range m {
		size += len(a.Name) + Size(a.Value)
	}
	return size
}

func sizeOfTexts(members []string) int {
	size := 0
	for _, member := range members {
		size += len(member)
	}
	return size
}
