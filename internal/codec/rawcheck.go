package codec

import (
	"errors"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/keyspace"
)

// maxName is the maximum length of an attribute name, in bytes.
const maxName = 65_535

var errEmptyName = errors.New("attribute name is empty")

// checkRaw returns an error for a caller's attribute value that DynamoDB would refuse: an invalid
// number, a set that is empty or holds a value twice, or an entry without a name. n is the type
// that contains the value.
func (n *Node) checkRaw(av AV, depth int) error {
	if v := reflect.ValueOf(av); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return n.newError("", "an attribute value is nil", nil)
	}
	if depth == maxDepth {
		return n.newError("", "the value is nested too deeply", ErrDepth)
	}
	switch tv := av.(type) {
	case *types.AttributeValueMemberB, *types.AttributeValueMemberBOOL:
	case *types.AttributeValueMemberS:
		return n.checkText(tv.Value)
	case *types.AttributeValueMemberN:
		return n.checkNumber(tv.Value)
	case *types.AttributeValueMemberNULL:
		if !tv.Value {
			return n.newError("", "a NULL must be true", nil)
		}
	case *types.AttributeValueMemberSS, *types.AttributeValueMemberNS, *types.AttributeValueMemberBS:
		return n.checkSet(av)
	case *types.AttributeValueMemberL:
		for i, elem := range tv.Value {
			if err := n.checkRaw(elem, depth+1); err != nil {
				return prependPath(indexStep(i), err)
			}
		}
	case *types.AttributeValueMemberM:
		for name, elem := range tv.Value {
			if err := n.checkEntry(name, elem, depth+1); err != nil {
				return prependPath("[*]", err)
			}
		}
	default:
		return n.newError("", "the attribute value has an unknown type", errUnknownType)
	}
	return nil
}

// checkEntry returns an error for an entry of an M that DynamoDB would refuse.
func (n *Node) checkEntry(name string, av AV, depth int) error {
	if err := n.checkName(name); err != nil {
		return err
	}
	return n.checkRaw(av, depth)
}

// checkName returns an error for a text that cannot be an attribute name.
func (n *Node) checkName(name string) error {
	switch {
	case name == "":
		return n.newError("", "an attribute name is empty", errEmptyName)
	case len(name) > maxName:
		return n.newError("", "an attribute name is longer than 65,535 bytes", nil)
	case !utf8.ValidString(name):
		return n.newError("", "an attribute name is not UTF-8", nil)
	default:
		return nil
	}
}

// checkSet returns an error for a set that is empty or holds a value twice. Two spellings of a
// number are one value.
func (n *Node) checkSet(av AV) error {
	var values []string
	switch tv := av.(type) {
	case *types.AttributeValueMemberSS:
		values = tv.Value
		for i, s := range values {
			if err := n.checkText(s); err != nil {
				return prependPath(indexStep(i), err)
			}
		}
	case *types.AttributeValueMemberNS:
		values = make([]string, len(tv.Value))
		for i, number := range tv.Value {
			if err := n.checkNumber(number); err != nil {
				return prependPath(indexStep(i), err)
			}
			values[i] = keyspace.NumberIdentity(number)
		}
	case *types.AttributeValueMemberBS:
		values = make([]string, len(tv.Value))
		for i, b := range tv.Value {
			values[i] = string(b)
		}
	}
	if len(values) == 0 {
		return n.newError("", "a set is empty, which DynamoDB does not allow", ErrSet)
	}
	return n.checkDistinct(values)
}

// checkDistinct returns an error for a set that holds a value twice, which DynamoDB refuses.
func (n *Node) checkDistinct(values []string) error {
	var seen map[string]bool
	if len(values) > 16 { // shorter sets need no map
		seen = make(map[string]bool, len(values))
	}
	for i, v := range values {
		if seen[v] || seen == nil && slices.Contains(values[:i], v) {
			return prependPath(indexStep(i), n.newError("", "a set contains a value twice", ErrSet))
		}
		if seen != nil {
			seen[v] = true
		}
	}
	return nil
}

// checkText returns an error for a text that is not UTF-8. The SDK would store another text.
func (n *Node) checkText(s string) error {
	if utf8.ValidString(s) {
		return nil
	}
	return n.newError("", "the text is not UTF-8; store bytes as []byte", nil)
}

// checkNumber returns an error for a text that is not a number, or not one that DynamoDB can hold.
func (n *Node) checkNumber(s string) error {
	d, ok := keyspace.ParseDecimal(s)
	switch {
	case !ok:
		return n.newError("", "the text is not a number", ErrNotNumber)
	case !d.Storable():
		return n.newError("", "the number has more than 38 digits or is out of range", ErrNumber)
	default:
		return nil
	}
}
