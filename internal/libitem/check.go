package libitem

import (
	"slices"
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

// CheckText reports why a text cannot be a part of a key. what names the text.
func CheckText(what, text string) error {
	switch {
	case text == "":
		return errs.New("", what+" is empty", "use a text of at least one character")
	case !utf8.ValidString(text):
		return errs.New("", what+" is not UTF-8", "encode binary values, for example in hex")
	default:
		return nil
	}
}

// CheckSchema reports what prevents items with the library's keys and with the given attributes.
// what names the items.
func CheckSchema(wrong *errs.Problems, s *core.Schema, attributes []string, what string) {
	if s.Partition.Type == keys.N {
		wrong.Add("", "the partition key of the table is a number", "use another table")
	}
	for _, name := range attributes {
		if Taken(s, name) {
			wrong.Add(name, "the table uses an attribute of "+what+" for a key or the time to live", "use another table")
		}
	}
}

// Taken reports whether DynamoDB or the schema gives an attribute a meaning.
func Taken(s *core.Schema, name string) bool {
	return name == s.TTL || name == s.TypeAttr || slices.ContainsFunc(s.KeyAttributes(), func(a core.Attribute) bool { return a.Name == name })
}

// KeyTooLong reports whether the partition key of an item is longer than DynamoDB allows.
func KeyTooLong(s *core.Schema, key op.Item) bool {
	text, _ := core.KeyText(s.Partition.Type, key[s.Partition.Name])
	return len(text) > reserved.MaxPartitionKey
}
