package value

// Bytes that the service charges in addition to the content.
const (
	scalarSize    = 1 // a Bool or a Null
	containerSize = 3 // a List or a Map
	elementSize   = 1 // each element of one
)

// Size returns the bytes that the service charges for a value: the UTF-8 length of a string, the
// length of a binary value, the digits of a number (see [decimal.Decimal.Size]), 1 for a Bool or a
// Null, and the members of a set. A list or a map is charged 3, and for each element 1 with its
// name and value. A nil value is charged nothing.
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

// Size returns the bytes that the service charges for m as an item: its names and values.
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
