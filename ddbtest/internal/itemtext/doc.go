// Package itemtext writes items as text that is the same for equal items: as plain JSON for people,
// and as DynamoDB JSON, which keeps the types.
package itemtext

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item in the SDK's types.
type Item = map[string]types.AttributeValue

// form appends a value.
type form func(dst []byte, v types.AttributeValue) []byte

// appendMap appends the attributes in the order of their names.
func appendMap(dst []byte, m Item, f form) []byte {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = f(append(appendText(dst, name), ':'), m[name])
	}
	return append(dst, '}')
}

func appendEach[E any](dst []byte, list []E, f func([]byte, E) []byte) []byte {
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = f(dst, e)
	}
	return append(dst, ']')
}

// Text returns a JSON string.
func Text(text string) []byte { return appendText(nil, text) }

// appendText appends a JSON string. Invalid UTF-8 is replaced.
func appendText(dst []byte, text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return append(dst, `""`...) // a string has no error
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

func appendBinary(dst []byte, b []byte) []byte {
	return appendText(dst, base64.StdEncoding.EncodeToString(b))
}

// sorted returns the elements of a set in order.
func sorted(set []string) []string { return slices.Sorted(slices.Values(set)) }

func sortedBinaries(set [][]byte) [][]byte {
	return slices.SortedFunc(slices.Values(set), bytes.Compare)
}
