package core

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
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
	id, ok := s.appendIdentity(nil, row)
	if !ok {
		return ""
	}
	return string(id)
}

// IdentityIn returns a text that two items of any tables share exactly if they have the same table
// and the same key.
func (s *Schema) IdentityIn(table string, row Row) string {
	return string(s.AppendIdentityIn(make([]byte, 0, 64), table, row))
}

// AppendIdentityIn appends the text that IdentityIn returns.
func (s *Schema) AppendIdentityIn(dst []byte, table string, row Row) []byte {
	dst = appendPart(dst, table)
	id, ok := s.appendIdentity(dst, row)
	if !ok {
		return dst
	}
	return id
}

func (s *Schema) appendIdentity(dst []byte, row Row) (id []byte, ok bool) {
	if dst, ok = row.appendIdentity(dst, s.Partition); !ok || s.Sort.Name == "" {
		return dst, ok
	}
	return row.appendIdentity(dst, s.Sort)
}

// appendPart appends a text after its length.
func appendPart[T string | []byte](dst []byte, text T) []byte {
	dst = strconv.AppendInt(dst, int64(len(text)), 10)
	return append(append(dst, ':'), text...)
}
