package clause_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
)

type (
	av   = types.AttributeValue
	item = map[string]av
)

var attributes = []string{"a", "b", "c", "d", "e"}

// condition returns a random condition of at most this depth.
func condition(r *rand.Rand, depth int) clause.Pred {
	if depth == 0 {
		return predicate(r)
	}
	inner := func() clause.Pred { return condition(r, depth-1) }
	switch r.IntN(5) {
	case 0:
		return clause.Not{Pred: clause.And{clause.Not{Pred: predicate(r)}, inner()}}
	case 1:
		return clause.Or{inner(), inner()}
	case 2:
		return clause.And{inner(), clause.Caller{Pred: inner()}}
	case 3:
		return clause.Not{Pred: predicate(r)}
	default:
		return predicate(r)
	}
}

func predicate(r *rand.Rand) clause.Pred {
	at := path(r)
	value := func() []av { return []av{randomValue(r, 1)} }
	switch n := r.IntN(30) - 5; r.IntN(13) {
	case 0:
		return clause.Test{Is: pick(r, clause.Exists, clause.NotExists), At: at}
	case 1:
		return clause.Test{Is: clause.HasType, At: at, Values: []av{text(pick(r, "S", "N", "B", "L", "M", "SS", "NS", "BS", "BOOL", "NULL"))}}
	case 2:
		return clause.Test{Is: clause.BeginsWith, At: at, Values: []av{pick(r, text("a"), binary("a"), text("1"))}}
	case 3:
		return clause.Test{Is: clause.Contains, At: at, Values: value()}
	case 4:
		return clause.Test{Is: clause.In, At: at, Values: append(value(), value()...)}
	case 5:
		return clause.Test{Is: pick(r, clause.Between, clause.During), At: at, Values: []av{number(strconv.Itoa(n)), number(strconv.Itoa(n + r.IntN(9)))}}
	case 6:
		return pick[clause.Pred](r, clause.NotNull{At: at}, clause.IsNull{At: at})
	case 7:
		return clause.Kind{At: at, List: r.IntN(2) == 0}
	case 8, 9:
		s := clause.Value(pick(r, attributes...), randomValue(r, 1))
		s.Absent, s.Null = r.IntN(2) == 0, r.IntN(2) == 0
		return s
	case 10:
		return clause.Expired{Attribute: pick(r, attributes...), Expiry: core.ExpiryAt(time.Unix(int64(5+r.IntN(9)), 0))}
	case 11:
		return clause.Test{Is: pick(r, comparisons...), At: at, Size: r.IntN(3) == 0, Other: path(r)}
	default:
		return clause.Test{Is: pick(r, comparisons...), At: at, Size: r.IntN(3) == 0, Values: value()}
	}
}

var comparisons = []clause.Operator{clause.Eq, clause.Ne, clause.Lt, clause.Le, clause.Gt, clause.Ge}

// path returns the path of a top-level attribute, or of a place in it.
func path(r *rand.Rand) *core.BoundPath {
	at := &core.BoundPath{Attribute: pick(r, attributes...)}
	switch r.IntN(6) {
	case 0:
		at.Elements = []core.PathElement{{Name: pick(r, attributes...)}}
	case 1:
		at.Elements = []core.PathElement{{At: r.IntN(3)}}
	}
	return at
}

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
