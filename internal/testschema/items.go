package testschema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/keys"
)

// Item returns the item of a JSON object. Texts, numbers, booleans, null, arrays and objects stand
// for attribute values of the same kind. An object with the single entry $B, $SS, $NS or $BS stands
// for bytes or a set:
//
//	{"PK": "COM#1", "age": 7, "photo": {"$B": "xyz"}, "tags": {"$SS": ["a", "b"]}}
func Item(object string) (map[string]types.AttributeValue, error) {
	var values map[string]any
	d := json.NewDecoder(strings.NewReader(object))
	d.UseNumber()
	if err := d.Decode(&values); err != nil {
		return nil, fmt.Errorf("%s: %w", object, err)
	}
	return itemOf(values), nil
}

func itemOf(values map[string]any) map[string]types.AttributeValue {
	item := make(map[string]types.AttributeValue, len(values))
	for name, v := range values {
		item[name] = valueOf(v)
	}
	return item
}

func valueOf(v any) types.AttributeValue {
	switch v := v.(type) {
	case string:
		return &types.AttributeValueMemberS{Value: v}
	case json.Number:
		return &types.AttributeValueMemberN{Value: v.String()}
	case bool:
		return &types.AttributeValueMemberBOOL{Value: v}
	case []any:
		list := make([]types.AttributeValue, len(v))
		for i, e := range v {
			list[i] = valueOf(e)
		}
		return &types.AttributeValueMemberL{Value: list}
	case map[string]any:
		if len(v) == 1 {
			for kind, content := range v {
				if av := special(kind, content); av != nil {
					return av
				}
			}
		}
		return &types.AttributeValueMemberM{Value: itemOf(v)}
	default:
		return &types.AttributeValueMemberNULL{Value: true}
	}
}

// special returns the bytes or the set of an object with one entry, or nil.
func special(kind string, content any) types.AttributeValue {
	var texts []string
	if list, ok := content.([]any); ok {
		for _, e := range list {
			texts = append(texts, fmt.Sprint(e))
		}
	}
	switch kind {
	case "$B":
		return &types.AttributeValueMemberB{Value: []byte(fmt.Sprint(content))}
	case "$SS":
		return &types.AttributeValueMemberSS{Value: texts}
	case "$NS":
		return &types.AttributeValueMemberNS{Value: texts}
	case "$BS":
		set := make([][]byte, len(texts))
		for i, text := range texts {
			set[i] = []byte(text)
		}
		return &types.AttributeValueMemberBS{Value: set}
	}
	return nil
}

// ItemText returns the attributes of an item as text, by name.
func ItemText(item map[string]types.AttributeValue) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(item)) {
		list = append(list, name+" = "+ValueText(item[name]))
	}
	return strings.Join(list, ", ")
}

// ValueText returns an attribute value as text on one line, or "none".
func ValueText(av types.AttributeValue) string {
	switch v := av.(type) {
	case nil:
		return "none"
	case *types.AttributeValueMemberS:
		return quote(v.Value)
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return fmt.Sprintf("bytes %x", v.Value)
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(v.Value)
	case *types.AttributeValueMemberSS:
		return listText("set(", v.Value, quote, ")")
	case *types.AttributeValueMemberNS:
		return listText("set(", v.Value, func(n string) string { return n }, ")")
	case *types.AttributeValueMemberBS:
		return listText("set(", v.Value, func(b []byte) string { return fmt.Sprintf("bytes %x", b) }, ")")
	case *types.AttributeValueMemberL:
		return listText("[", v.Value, ValueText, "]")
	case *types.AttributeValueMemberM:
		return "{" + ItemText(v.Value) + "}"
	default:
		return strings.TrimPrefix(fmt.Sprintf("%T", av), "*types.AttributeValueMember")
	}
}

func quote(text string) string {
	quoted := strconv.Quote(text)
	return "'" + quoted[1:len(quoted)-1] + "'"
}

func listText[E any](open string, list []E, text func(E) string, end string) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = text(e)
	}
	return open + strings.Join(texts, " ") + end
}

// MemberText returns the value of a key's member as text.
func MemberText(v keys.Value) string {
	switch v.Kind() {
	case keys.KindText:
		return strconv.Quote(v.Text())
	case keys.KindInt:
		return strconv.FormatInt(v.Int(), 10)
	case keys.KindUint:
		return strconv.FormatUint(v.Uint(), 10)
	case keys.KindFloat:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case keys.KindTime:
		return v.Time().Format(time.RFC3339Nano)
	case keys.KindBool:
		return strconv.FormatBool(v.Bool())
	case keys.KindBytes:
		return fmt.Sprintf("%x", v.Bytes())
	default:
		return v.Kind().String()
	}
}
