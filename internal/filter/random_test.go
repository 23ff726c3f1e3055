package filter_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type (
	av   = types.AttributeValue
	item = map[string]av
)

// expression is a random filter expression with its placeholders.
type expression struct {
	*rand.Rand
	names  map[string]string
	values item
}

var attributes = []string{"a", "b", "c", "d", "e"}

// condition returns a condition of at most this depth.
func (x *expression) condition(depth int) string {
	if depth == 0 {
		return x.predicate()
	}
	inner := func() string { return x.condition(depth - 1) }
	switch x.IntN(5) {
	case 0:
		return "NOT (NOT " + x.predicate() + " AND " + inner() + ")"
	case 1:
		return inner() + " OR " + inner()
	case 2:
		return inner() + " AND " + inner()
	case 3:
		return "NOT " + x.predicate()
	default:
		return x.predicate()
	}
}

func (x *expression) predicate() string {
	path := x.path()
	switch x.IntN(8) {
	case 0:
		return "attribute_exists(" + path + ")"
	case 1:
		return "attribute_not_exists(" + path + ")"
	case 2:
		return "attribute_type(" + path + ", " + x.value(text(pick(x.Rand, "S", "N", "B", "L", "M", "SS", "NS", "BS", "BOOL", "NULL"))) + ")"
	case 3:
		return "begins_with(" + path + ", " + x.value(pick(x.Rand, text("a"), binary("a"), text("1"))) + ")"
	case 4:
		return "contains(" + path + ", " + x.operand() + ")"
	case 5:
		return path + " IN (" + x.operand() + ", " + x.operand() + ")"
	case 6:
		n := x.number()
		return path + " BETWEEN " + x.value(number(strconv.Itoa(n))) + " AND " + x.value(number(strconv.Itoa(n+x.IntN(9))))
	default:
		return pick(x.Rand, path, path, "size("+path+")") + " " + pick(x.Rand, "=", "<>", "<", "<=", ">", ">=") + " " + x.operand()
	}
}

// operand returns a path, a size or a value.
func (x *expression) operand() string {
	switch x.IntN(8) {
	case 0:
		return x.path()
	case 1:
		return "size(" + x.path() + ")"
	default:
		return x.value(randomValue(x.Rand, 1))
	}
}

// path returns a path of a top-level attribute, or of a place in it.
func (x *expression) path() string {
	at := x.name(pick(x.Rand, attributes...))
	switch x.IntN(6) {
	case 0:
		return at + "." + x.name(pick(x.Rand, attributes...))
	case 1:
		return at + "[" + strconv.Itoa(x.IntN(3)) + "]"
	default:
		return at
	}
}

func (x *expression) name(attribute string) string {
	mark := "#n" + attribute
	x.names[mark] = attribute
	return mark
}

func (x *expression) value(v av) string {
	mark := fmt.Sprintf(":v%d", len(x.values))
	x.values[mark] = v
	return mark
}

func (x *expression) number() int { return x.IntN(30) - 5 }

// randomValue returns a value of any type. Few values are drawn, so that many are equal.
func randomValue(r *rand.Rand, depth int) av {
	words := []string{"", "a", "ab", "b", "é😀", "1", "10", "9"}
	numbers := []string{"0", "1", "1.0", "2", "9", "10", "-5", "1E1", "0.5", "12345678901234567890123456789012345678"}
	switch kind := r.IntN(12); {
	case kind < 3:
		return text(pick(r, words...))
	case kind < 6:
		return number(pick(r, numbers...))
	case kind == 6:
		return pick(r, binary("a"), binary("ab"), binary("\xff"))
	case kind == 7:
		return pick[av](r, &types.AttributeValueMemberBOOL{Value: true}, &types.AttributeValueMemberBOOL{}, &types.AttributeValueMemberNULL{Value: true})
	case kind == 8:
		return pick[av](r, &types.AttributeValueMemberSS{Value: []string{"a", "b"}}, &types.AttributeValueMemberSS{Value: []string{"b", "a"}}, &types.AttributeValueMemberNS{Value: []string{"1", "10"}})
	case kind == 9:
		return &types.AttributeValueMemberBS{Value: [][]byte{[]byte("a"), []byte(pick(r, "b", "c"))}}
	case depth == 0:
		return text(pick(r, words...))
	case kind == 10:
		return &types.AttributeValueMemberL{Value: []av{randomValue(r, depth-1), randomValue(r, depth-1)}}
	default:
		return &types.AttributeValueMemberM{Value: item{"a": randomValue(r, depth-1), "b": randomValue(r, depth-1)}}
	}
}

func text(s string) av   { return &types.AttributeValueMemberS{Value: s} }
func number(s string) av { return &types.AttributeValueMemberN{Value: s} }
func binary(s string) av { return &types.AttributeValueMemberB{Value: []byte(s)} }

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// operatorsIn counts the operators and functions of an expression.
func operatorsIn(text string, count map[string]int) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" (),", r) }) {
		if word[0] != '#' && word[0] != ':' {
			count[word]++
		}
	}
}
