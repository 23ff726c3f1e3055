package codec

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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

// dynamicValue converts an attribute to a Go value that is encoded as the same attribute: a string,
// bool, []byte, [][]byte, map[string]any or []any, and nil for NULL. A number is a float64, or an
// attributevalue.Number if a float64 holds another number. A set of texts or numbers is the SDK's
// attribute value, because a Go slice is a list; with the option of the set it is a slice. The
// option string encodes a number as text, so with it the text of a number is a number, and a number
// is the SDK's attribute value.
func dynamicValue(av AV, o Options) (any, error) {
	switch tv := av.(type) {
	case nil, *types.AttributeValueMemberNULL:
		return nil, nil
	case *types.AttributeValueMemberS:
		if o.Has(AsString) {
			return numberOfText(tv.Value), nil
		}
		return tv.Value, nil
	case *types.AttributeValueMemberN:
		if o.Has(AsString) {
			return Clone(av), nil
		}
		f, exact, err := exactFloat(tv.Value)
		if exact || err != nil {
			return f, err
		}
		return attributevalue.Number(tv.Value), nil
	case *types.AttributeValueMemberBOOL:
		return tv.Value, nil
	case *types.AttributeValueMemberB:
		return append([]byte{}, tv.Value...), nil
	case *types.AttributeValueMemberSS:
		if o.Has(StringSet) {
			return append([]string{}, tv.Value...), nil
		}
		return Clone(av), nil
	case *types.AttributeValueMemberNS:
		if o.Has(NumberSet) {
			return dynamicNumbers(tv.Value)
		}
		return Clone(av), nil
	case *types.AttributeValueMemberBS:
		return dynamicElems(tv.Value, func(b []byte) ([]byte, error) { return append([]byte{}, b...), nil })
	case *types.AttributeValueMemberL:
		return dynamicElems(tv.Value, func(av AV) (any, error) { return dynamicValue(av, plain) })
	case *types.AttributeValueMemberM:
		m := make(map[string]any, len(tv.Value))
		for name, av := range tv.Value {
			v, err := dynamicValue(av, plain)
			if err != nil {
				return nil, err
			}
			m[name] = v
		}
		return m, nil
	default:
		return nil, errUnknownType
	}
}

func dynamicElems[E, V any](elems []E, value func(E) (V, error)) ([]V, error) {
	values := make([]V, len(elems))
	for i, elem := range elems {
		v, err := value(elem)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
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

// dynamicNumbers converts the elements of an NS, all to one type.
func dynamicNumbers(texts []string) (any, error) {
	floats, allExact := make([]float64, len(texts)), true
	for i, text := range texts {
		f, exact, err := exactFloat(text)
		if err != nil {
			return nil, err
		}
		floats[i], allExact = f, allExact && exact
	}
	if allExact {
		return floats, nil
	}
	return dynamicElems(texts, func(s string) (attributevalue.Number, error) { return attributevalue.Number(s), nil })
}
