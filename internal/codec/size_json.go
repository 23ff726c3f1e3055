package codec

import "github.com/trestledb/trestle/internal/itemjson"

// ItemSizeJSON is ItemSize for an item in JSON. If a name occurs twice, both are counted.
func ItemSizeJSON(item itemjson.Item) int {
	size := 0
	for i := range item.Values {
		size += len(item.Name(i)) + recordSize(item, i)
	}
	return size
}

// recordSize returns what a value adds to the size, without the values in it. A list or map costs 3
// bytes, plus 1 for each element.
func recordSize(item itemjson.Item, i int) int {
	switch item.Values[i].Type {
	case itemjson.S:
		return len(item.Text(i))
	case itemjson.N:
		return numberSize(string(item.Text(i)))
	case itemjson.B:
		return item.Length(i)
	case itemjson.L, itemjson.M:
		size := 3
		for range item.Within(i).Members() {
			size++
		}
		return size
	case itemjson.SS, itemjson.NS, itemjson.BS:
		return 0
	default: // BOOL, NULL
		return 1
	}
}
