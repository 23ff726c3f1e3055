package fetch_test

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
)

// pageOf parses a page. It begins with the number of its stream. The other words are the sort keys
// of its items. other:KEY is an item of another type, stray:KEY one in the partition of readings,
// untyped:KEY an item without a type attribute, internal:KEY one of the library, bad:KEY one that
// cannot be decoded, and part:KEY one without a sort key. KEY@NAME has a name. Further words:
//
//	more more:KEY            a page follows, after the last item or a key
//	units=N scanned=N count=N  what the response reports; by default all items are scanned
//	error=CODE               an error instead
func pageOf(p *read.Plan, line string) (stream int, r reply) {
	words := strings.Fields(line)
	stream, _ = strconv.Atoi(strings.TrimSuffix(words[0], ":"))
	r.scanned, r.count, r.units = -1, -1, 1
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		kind, key, hasKind := strings.Cut(word, ":")
		switch {
		case name == "units":
			r.units, _ = strconv.ParseFloat(value, 64)
		case name == "scanned":
			r.scanned, _ = strconv.Atoi(value)
		case name == "count":
			r.count, _ = strconv.Atoi(value)
		case name == "error":
			r.code = value
		case word == "more":
			r.last = positionAt(p, r.items[len(r.items)-1])
		case kind == "more":
			r.last = positionAt(p, itemOf(p.Schema, stream, "", key))
		case hasKind:
			r.items = append(r.items, itemOf(p.Schema, stream, kind, key))
		default:
			r.items = append(r.items, itemOf(p.Schema, stream, "", word))
		}
	}
	if r.scanned < 0 {
		r.scanned = len(r.items)
	}
	if r.count < 0 {
		r.count = len(r.items)
	}
	return stream, r
}

// itemOf returns an item of a partition with a sort key.
func itemOf(s *core.Schema, stream int, kind, key string) op.Item {
	item := op.Item{
		"PK": &types.AttributeValueMemberS{Value: "R#" + strconv.Itoa(stream)}, "_type": &types.AttributeValueMemberS{Value: "reading"},
	}
	switch kind {
	case "other":
		item["PK"], item["_type"] = &types.AttributeValueMemberS{Value: "O#" + strconv.Itoa(stream)}, &types.AttributeValueMemberS{Value: "other"}
	case "stray":
		item["_type"] = &types.AttributeValueMemberS{Value: "other"}
	case "untyped":
		delete(item, "_type")
	case "internal":
		item["PK"] = &types.AttributeValueMemberS{Value: "$U#guard"}
	case "bad":
		item["name"] = &types.AttributeValueMemberBOOL{}
	}
	key, name, named := strings.Cut(key, "@")
	if named {
		item["name"] = &types.AttributeValueMemberS{Value: name}
	}
	if kind != "part" {
		item["SK"] = core.KeyValue(s.Sort.Type, key)
	}
	return item
}

// positionAt returns the position of an item.
func positionAt(p *read.Plan, item op.Item) op.Item {
	at, _ := core.NewRow(item).Attributes(p.Position)
	return at
}

// positionsOf parses positions. Each has the number of a stream, and perhaps the words merged and
// ended I,I,…, and the item that it is after.
func positionsOf(c *testdriven.Case, line string) (list []cursor.Position) {
	for text := range strings.SplitSeq(line, "; ") {
		head, item, found := strings.Cut(text, "{")
		words := strings.Fields(head)
		if len(words) == 0 || words[0] == "none" {
			continue
		}
		at := cursor.Position{Stream: number(c, words[0]), Merged: slices.Contains(words, "merged")}
		if i := slices.Index(words, "ended"); i >= 0 {
			for n := range strings.SplitSeq(words[i+1], ",") {
				at.Ended = append(at.Ended, number(c, n))
			}
		}
		if found {
			var err error
			at.After, err = testschema.Item("{" + item)
			require.NoError(c.T, err, c.Pos)
		}
		list = append(list, at)
	}
	return list
}

func number(c *testdriven.Case, text string) int {
	n, err := strconv.Atoi(text)
	require.NoError(c.T, err, c.Pos)
	return n
}
