package codec

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/keyspace"
)

var errUnknownType = errors.New("unknown attribute type")

// EncodeAny encodes a value by its dynamic type. nil is encoded as NULL, and an attribute value is
// copied unchanged. A type that cannot be stored completely, such as a func, is an error.
func EncodeAny(v any) (AV, error) {
	return (&encoder{}).encodeDynamic(reflect.ValueOf(&v).Elem(), keepNil)
}

// dynamicType is the node of a type of values in interfaces.
type dynamicType struct {
	*Node
	lost string // why a part of the values would not be stored; usually empty
}

var dynamicTypes sync.Map // reflect.Type to dynamicType

// dynamicNode returns the node of a type of values in interfaces, which no definition contains. It
// returns an error for a type that a definition must not have, because a part of its values would
// not be stored.
func dynamicNode(t reflect.Type) (*Node, error) {
	known, ok := dynamicTypes.Load(t)
	if !ok {
		d := dynamicType{Node: nodeOf(t)}
		field := Field{Node: d.Node}
		issues := field.check()
		if nested := d.Nested(); nested != nil {
			issues = append(issues, nested.allIssues("", map[reflect.Type]bool{nested.Type: true})...)
		}
		for _, issue := range issues {
			if issue.lost {
				d.lost = strings.TrimPrefix(issue.Field+": "+issue.Reason, ": ")
				break
			}
		}
		known, _ = dynamicTypes.LoadOrStore(t, d)
	}
	d := known.(dynamicType)
	if d.lost != "" {
		return nil, d.newError("", d.lost, nil)
	}
	return d.Node, nil
}

// any sets an interface from the value at index i, of any type.
func (d *decoder) any(n *Node, i int, p Ptr, o Options) error {
	if d.null(i) {
		return nil
	}
	if n.hasMethods {
		return d.newError(n, i, "an interface with methods can only be decoded from NULL", nil)
	}
	v, err := d.dynamic(i, o)
	if err != nil {
		return d.newError(n, i, "the attribute or an element of it cannot be decoded", err)
	}
	p.value(n.Type).Set(reflect.ValueOf(v))
	return nil
}

// dynamic converts the value at index i to a Go value that is encoded as the same attribute: a
// string, bool, []byte, [][]byte, map[string]any or []any, and nil for NULL. A number is a float64,
// or an attributevalue.Number if a float64 holds another number. A set of texts or numbers is the
// SDK's attribute value, because a Go slice is a list; with the option of the set it is a slice.
// The option string encodes a number as text, so with it the text of a number is a number, and a
// number is the SDK's attribute value.
func (d *decoder) dynamic(i int, o Options) (any, error) {
	switch t := d.Values[i].Type; {
	case d.null(i):
		return nil, nil
	case t == itemjson.S && o.Has(AsString):
		return numberOfText(string(d.Text(i))), nil
	case t == itemjson.S:
		return string(d.Text(i)), nil
	case t == itemjson.N && !o.Has(AsString):
		return numberOf(string(d.Text(i)))
	case t == itemjson.BOOL:
		return d.True(i), nil
	case t == itemjson.B:
		return d.Bytes(i), nil
	case t == itemjson.SS && o.Has(StringSet):
		return elementsOf(d, i, func(i int) (string, error) { return string(d.Text(i)), nil })
	case t == itemjson.NS && o.Has(NumberSet):
		return d.numbers(i)
	case t == itemjson.N, t == itemjson.SS, t == itemjson.NS:
		return d.Attribute(i), nil
	case t == itemjson.BS:
		return elementsOf(d, i, func(i int) ([]byte, error) { return d.Bytes(i), nil })
	case t == itemjson.L:
		return elementsOf(d, i, func(i int) (any, error) { return d.dynamic(i, plain) })
	case t == itemjson.M:
		return d.dynamicMap(i)
	default:
		return nil, errUnknownType
	}
}

// dynamicMap converts the M at index i.
func (d *decoder) dynamicMap(i int) (map[string]any, error) {
	m, end := make(map[string]any, min(d.count(i), 64)), i+int(d.Values[i].Span)
	for k := i + 1; k < end; k += int(d.Values[k].Span) {
		v, err := d.dynamic(k, plain)
		if err != nil && !d.repeated(k, end) {
			return nil, err
		}
		m[string(d.Name(k))] = v
	}
	return m, nil
}

// elementsOf converts the elements of the list or set at index i.
func elementsOf[V any](d *decoder, i int, convert func(i int) (V, error)) ([]V, error) {
	values := make([]V, 0, min(d.count(i), 64))
	for k, end := i+1, i+int(d.Values[i].Span); k < end; k += int(d.Values[k].Span) {
		v, err := convert(k)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// numberOf converts a number.
func numberOf(text string) (any, error) {
	f, exact, err := exactFloat(text)
	if exact || err != nil {
		return f, err
	}
	return attributevalue.Number(text), nil
}

// exactFloat parses a number. exact is false if the float64 is encoded as another number.
func exactFloat(text string) (f float64, exact bool, err error) {
	if f, ok := parseFloat(text, 64); ok { // at most 15 digits
		return f, true, nil
	}
	f, err = strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false, err
	}
	return f, keyspace.NumberIdentity(strconv.FormatFloat(f, 'f', -1, 64)) == keyspace.NumberIdentity(text), nil
}

// numberOfText converts the text of a number, which the option string encodes as the same text.
// Another text is the text of a string.
func numberOfText(text string) any {
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return text
	case strconv.FormatFloat(f, 'f', -1, 64) == text:
		return f
	default:
		return attributevalue.Number(text)
	}
}

// numbers converts the elements of the NS at index i, all to one type.
func (d *decoder) numbers(i int) (any, error) {
	allExact := true
	floats, err := elementsOf(d, i, func(i int) (float64, error) {
		f, exact, err := exactFloat(string(d.Text(i)))
		allExact = allExact && exact
		return f, err
	})
	if allExact || err != nil {
		return floats, err
	}
	return elementsOf(d, i, func(i int) (attributevalue.Number, error) { return attributevalue.Number(d.Text(i)), nil })
}
