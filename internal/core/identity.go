package core

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// KeyOf returns the table's key of an item, as far as the item has it.
func (s *Schema) KeyOf(row Row) map[string]types.AttributeValue {
	key := make(map[string]types.AttributeValue, len(s.Position))
	for _, a := range s.Position {
		if av := row.Attribute(a.Name); av != nil {
			key[a.Name] = av
		}
	}
	return key
}

// Identity returns a text that two items of the table share exactly if they have the same key. Two
// spellings of a number are one key. It returns "" if the item lacks a key attribute.
func (s *Schema) Identity(row Row) string {
	var b strings.Builder
	for _, side := range [][]Attribute{s.PartitionKey(), s.SortKey()} {
		for _, a := range side {
			text, ok := row.KeyText(a)
			if !ok {
				return ""
			}
			if a.Type == keys.N {
				text = keyspace.NumberIdentity(text)
			}
			b.WriteString(strconv.Itoa(len(text)))
			b.WriteByte(':')
			b.WriteString(text)
		}
	}
	return b.String()
}

// IdentityIn returns a text that two items of any tables share exactly if they have the same table
// and the same key.
func (s *Schema) IdentityIn(table string, row Row) string {
	return strconv.Itoa(len(table)) + ":" + table + s.Identity(row)
}
