package page

import (
	"cmp"
	"encoding/hex"
	"net/url"
	"regexp"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

// The names of the fields of a filter. Key attributes are numbered, as key0 and its comparison
// compare0, because a global index may have up to eight.
const (
	fieldIndex     = "index"
	fieldAfter     = "after"
	fieldAttribute = "attribute"
	fieldOperator  = "operator"
	fieldType      = "type"
	fieldValue     = "value"
	prefixKey      = "key"
	prefixCompare  = "compare"
)

// The operators of the filter of an attribute.
const (
	opBeginsWith = "begins with"
	opContains   = "contains"
	opExists     = "exists"
	opAbsent     = "does not exist"
	opDiffers    = "<>"
)

const compareEqual = "="

// filter is what a page of items is to contain.
type filter struct {
	source     *source
	query      url.Values
	problems   []strict.Problem
	conditions []condition
	attribute  *condition // on an attribute that is no key attribute
}

// condition is a condition on an attribute.
type condition struct {
	name, operator string
	value          types.AttributeValue // nil for opExists and opAbsent
	partition      bool
	position       int // of the key attribute
}

// newFilter reads a filter.
func newFilter(s *source, query url.Values) *filter {
	f := &filter{source: s, query: query}
	for i, k := range s.keys {
		field := prefixKey + strconv.Itoa(i)
		text := query.Get(field)
		if text == "" {
			continue
		}
		c := condition{name: k.Name, operator: compareEqual, partition: k.Partition, position: i}
		if !k.Partition {
			c.operator = f.operator(prefixCompare+strconv.Itoa(i), keyOperators)
		}
		if c.operator == opBeginsWith && k.Type == types.ScalarAttributeTypeN {
			f.add(field, "a number has no beginning", `use "="`)
			continue
		}
		c.value = f.parse(field, string(k.Type), text)
		f.conditions = append(f.conditions, c)
	}
	f.readAttribute()
	return f
}

// readAttribute reads the condition on any attribute.
func (f *filter) readAttribute() {
	name, kind, text := f.query.Get(fieldAttribute), f.query.Get(fieldType), f.query.Get(fieldValue)
	if name == "" {
		if text != "" {
			f.add(fieldAttribute, "name the attribute that has the value", "")
		}
		return
	}
	operator := f.operator(fieldOperator, operators)
	f.attribute = &condition{name: name, operator: operator}
	if operator != opExists && operator != opAbsent {
		f.attribute.value = f.parse(fieldValue, kind, text)
	}
	for _, k := range f.source.keys {
		if k.Name == name {
			f.add(fieldAttribute, "is a key attribute", "use its own field")
		}
	}
}

// operator returns the operator of a field. Others than the known ones would become a part of the
// expression.
func (f *filter) operator(field string, known []string) string {
	operator := cmp.Or(f.query.Get(field), compareEqual)
	if !slices.Contains(known, operator) {
		f.add(field, "is not an operator that the filter has", strict.Nearest(operator, known))
	}
	return operator
}

func (f *filter) add(field, message, cure string) {
	f.problems = append(f.problems, strict.Problem{Field: field, Message: message, Cure: cure})
}

var numberPattern = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// parse returns a value of a type. It adds the problem of an invalid one.
func (f *filter) parse(field, kind, text string) types.AttributeValue {
	switch kind {
	case "", typeString:
		return &types.AttributeValueMemberS{Value: text}
	case typeNumber:
		if !numberPattern.MatchString(text) {
			f.add(field, "is not a number", "")
		}
		return &types.AttributeValueMemberN{Value: text}
	case typeBinary:
		b, err := hex.DecodeString(text)
		if err != nil {
			f.add(field, "is not hexadecimal", "write two digits for each byte")
		}
		return &types.AttributeValueMemberB{Value: b}
	case typeBool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			f.add(field, "is not a truth value", "write true or false")
		}
		return &types.AttributeValueMemberBOOL{Value: b}
	case typeNull:
		return &types.AttributeValueMemberNULL{Value: true}
	default:
		f.add(fieldType, "is not a type that the filter has", "")
		return nil
	}
}

// isQuery reports whether the conditions on the keys can be those of a query: all attributes of the
// partition key, and the first ones of the sort key, of which only the last one may begin with
// something. Otherwise a scan filters by them.
func (f *filter) isQuery() bool {
	complete := false
	for i, c := range f.conditions {
		if c.position != i || i > 0 && f.conditions[i-1].operator == opBeginsWith {
			return false
		}
		next := i + 1
		complete = complete || next == len(f.source.keys) || !f.source.keys[next].Partition
	}
	return complete
}
