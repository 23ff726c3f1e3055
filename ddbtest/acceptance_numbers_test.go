package ddbtest_test

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// exact returns the exact number of a text.
func exact(t testing.TB, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	require.True(t, ok, text)
	return r
}

// randomNumber returns a number of up to 38 digits. Many of them differ by less than the precision
// of a float64.
func randomNumber(r *rand.Rand) string {
	sign := []string{"", "-"}[r.IntN(2)]
	switch r.IntN(4) {
	case 0:
		return sign + strconv.Itoa(r.IntN(30))
	case 1:
		return sign + "1" + strings.Repeat("0", 20) + strconv.Itoa(r.IntN(1000))
	case 2:
		return sign + "0." + strings.Repeat("3", 25) + strconv.Itoa(1+r.IntN(1000))
	default:
		return fmt.Sprintf("%s%d.%de%d", sign, r.IntN(10), 1+r.IntN(99), r.IntN(240)-120)
	}
}

// inOrder reports whether numbers are in ascending order.
func inOrder(t testing.TB, list []string) bool {
	t.Helper()
	return slices.IsSortedFunc(list, func(a, b string) int { return exact(t, a).Cmp(exact(t, b)) })
}

// TestNumberKeyOrder covers the keys of tables and of both kinds of indexes, and the
// bounds of key conditions.
func TestNumberKeyOrder(t *testing.T) {
	t.Parallel()
	table := tableOf("pk:S sk:N", ix{name: "local", key: "pk:S x:N", local: true}, ix{name: "global", key: "pk:S | y:N x:N"})
	onEveryEngine(t, table, func(s *session) {
		r := newRand(s)
		distinct := map[string]string{}
		for range testsize.Pick(100, 500, 2000) {
			n := randomNumber(r)
			distinct[exact(s, n).String()] = n
		}
		var all []attributes
		for _, n := range distinct {
			all = append(all, row("pk", "a", "sk", num(n), "x", num(n), "y", 1))
		}
		s.put(all...)
		for _, v := range []view{
			{key: "pk = :pk", values: row(":pk", "a")},
			{key: "pk = :pk", values: row(":pk", "a"), index: "local"},
			{key: "pk = :pk AND y = :one", values: row(":pk", "a", ":one", num("1.0")), index: "global"},
		} {
			v.limit = 37
			ascending := each(s.all(v), "sk")
			require.Len(s, ascending, len(distinct))
			require.True(s, inOrder(s, ascending), "%q: %v", v.index, ascending)
			v.backward = true
			descending := each(s.all(v), "sk")
			slices.Reverse(descending)
			require.Equal(s, ascending, descending)
			numbersWithin(s, r, v, ascending)
		}

		asTexts := slices.Sorted(slices.Values(each(s.all(view{}), "sk")))
		require.False(s, inOrder(s, asTexts), "sorted as texts they would be in another order")
		asFloats := slices.Clone(asTexts)
		slices.SortStableFunc(asFloats, func(a, b string) int {
			x, _ := strconv.ParseFloat(a, 64)
			y, _ := strconv.ParseFloat(b, 64)
			return cmp.Compare(x, y)
		})
		require.False(s, inOrder(s, asFloats), "and as floats, too")
	})
}

// numbersWithin checks that the bounds of a sort key condition compare as numbers.
func numbersWithin(s *session, r *rand.Rand, v view, ascending []string) {
	s.Helper()
	attribute := "sk"
	if v.index != "" {
		attribute = "x"
	}
	for range 5 {
		lo, hi := randomNumber(r), randomNumber(r)
		if exact(s, lo).Cmp(exact(s, hi)) > 0 {
			lo, hi = hi, lo
		}
		bounded := v
		bounded.backward = false
		bounded.key += " AND " + attribute + " BETWEEN :lo AND :hi"
		bounded.values = row(":lo", num(lo), ":hi", num(hi))
		for name, value := range v.values {
			bounded.values[name] = value
		}
		want := slices.DeleteFunc(slices.Clone(ascending), func(n string) bool {
			return exact(s, n).Cmp(exact(s, lo)) < 0 || exact(s, n).Cmp(exact(s, hi)) > 0
		})
		require.Equal(s, want, each(s.all(bounded), "sk"), "%s to %s", lo, hi)
	}
}

// spellings lists different spellings of the same number, one number per row.
var spellings = [][]num{
	{"1", "1.0", "1e0", "001", "+1", "0.1E1", "10e-1", "1.000000000000000000000000000000000000000000"},
	{"0", "-0", "0.0", "0e5", "00", "0e1000", "0E-5000", "-0.00e126"},
	{"12345678901234567890123456789012345678", "1.2345678901234567890123456789012345678E37", "12345678901234567890123456789012345678.0"},
	{"-1E-130", "-0.1e-129"},
	{"100", "1E2", "1E+2"},
}

// TestEqualNumbersAreOneKey covers partition keys and sort keys.
func TestEqualNumbersAreOneKey(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:N sk:N"), func(s *session) {
		for _, same := range spellings {
			for i, a := range same {
				b := same[(i+1)%len(same)]
				s.put(row("pk", a, "sk", a, "a", a))
				s.put(row("pk", b, "sk", b, "b", b))
				require.Len(s, s.all(view{}), 1)
				require.Len(s, s.get(row("pk", a, "sk", b)), 3)
				require.Len(s, s.all(view{key: "pk = :b AND sk = :a", values: row(":a", a, ":b", b)}), 1)
				require.Len(s, s.all(view{key: "pk = :a AND sk BETWEEN :a AND :b", values: row(":a", a, ":b", b)}), 1)
				require.Empty(s, s.all(view{key: "pk = :a AND sk > :b", values: row(":a", a, ":b", b)}))
				require.NoError(s, s.update(row("pk", b, "sk", a), "SET c = :c", ":c", 1))
				s.delete(row("pk", b, "sk", b))
				require.Empty(s, s.all(view{}))
			}
		}
	})
}

// TestEqualNumbersInOneRequest covers batches and transactions. DynamoDB Local treats two
// spellings as two keys there.
func TestEqualNumbersInOneRequest(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, tableOf("pk:N sk:N"))
	for _, same := range spellings {
		a, b := row("pk", same[0], "sk", same[1]), row("pk", same[1], "sk", same[0])
		_, err := s.client.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			s.table: {Keys: []attributes{a, b}},
		}})
		wantCode(t, invalid, err)
		_, err = s.client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
			s.table: {{PutRequest: &types.PutRequest{Item: a}}, {DeleteRequest: &types.DeleteRequest{Key: b}}},
		}})
		wantCode(t, invalid, err)
		wantCode(t, invalid, s.transact(
			types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: a}}, types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: b}},
		))
	}
	require.Empty(t, s.all(view{}))
}

// TestNumberFormat covers keys and all other attributes. DynamoDB Local keeps the
// spelling of numbers in lists, in maps and after arithmetic.
func TestNumberFormat(t *testing.T) {
	t.Parallel()
	s := onDDBTest(t, tableOf("pk:N"))
	for _, same := range spellings {
		for _, n := range same {
			s.put(row("pk", n, "n", n, "ns", nums{string(n)}, "l", []any{n}, "m", map[string]any{"n": n}))
			require.NoError(s, s.update(row("pk", n), "SET summed = n + :zero, copied = :n ADD added :n", ":zero", num("0.00"), ":n", n))
			got := s.get(row("pk", same[0]))
			written := textOf(got["pk"])
			require.Zero(s, exact(s, string(n)).Cmp(exact(s, written)))
			want := num(written)
			require.Equal(s, row("pk", want, "n", want, "ns", nums{written}, "l", []any{want}, "m", map[string]any{"n": want},
				"summed", want, "copied", want, "added", want), got)
		}
	}
}

// TestExactArithmetic covers SET and ADD for sums of at most 38 digits.
func TestExactArithmetic(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		r := newRand(s)
		key := row("pk", "a")
		wrongAsFloats := 0
		for range testsize.Pick(30, 200, 1000) {
			a, b := tenths(r), tenths(r)
			s.put(row("pk", "a", "a", num(a), "b", num(b)))
			require.NoError(s, s.update(key, "SET c = a + b, d = a - b, e = :a - b ADD a :b", ":a", num(a), ":b", num(b)))
			got := s.get(key)
			sum, difference := new(big.Rat).Add(exact(s, a), exact(s, b)), new(big.Rat).Sub(exact(s, a), exact(s, b))
			for name, want := range map[string]*big.Rat{"c": sum, "a": sum, "d": difference, "e": difference} {
				require.Zero(s, want.Cmp(exact(s, textOf(got[name]))), "%s of %s and %s: %s", name, a, b, textOf(got[name]))
			}
			x, _ := strconv.ParseFloat(a, 64)
			y, _ := strconv.ParseFloat(b, 64)
			if sum.Cmp(exact(s, strconv.FormatFloat(x+y, 'g', -1, 64))) != 0 {
				wrongAsFloats++
			}
		}
		require.Positive(s, wrongAsFloats, "floats would have failed")

		s.put(row("pk", "a", "n", num(strings.Repeat("9", 38))))
		require.NoError(s, s.update(key, "SET n = n + :one", ":one", 1))
		require.Zero(s, exact(s, "1e38").Cmp(exact(s, textOf(s.get(key)["n"]))))
		const largest = "9.9999999999999999999999999999999999999E125"
		s.put(row("pk", "a", "n", num(largest)))
		wantCode(s, invalid, s.update(key, "SET n = n + n"))
		wantCode(s, invalid, s.update(key, "ADD n :n", ":n", num(largest)))
		require.Zero(s, exact(s, largest).Cmp(exact(s, textOf(s.get(key)["n"]))))
	})
}

// tenths returns a number of up to 36 digits with up to five decimal places.
func tenths(r *rand.Rand) string {
	digits := fmt.Sprintf("%d%018d", 1+r.Int64N(1e17), r.Int64N(1e18))
	digits = digits[:2+r.IntN(len(digits)-2)]
	point := r.IntN(min(5, len(digits)))
	return []string{"", "-"}[r.IntN(2)] + digits[:len(digits)-point] + "." + digits[len(digits)-point:] + "0"
}

// TestEqualNumbersInSets checks that a set holds no number twice.
func TestEqualNumbersInSets(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		key := row("pk", "a")
		for _, twice := range []nums{{"1", "1.0"}, {"0e1000", "0"}, {"0E-5000", "-0e126"}} {
			_, err := s.client.PutItem(s.Context(), &dynamodb.PutItemInput{TableName: &s.table, Item: row("pk", "a", "n", twice)})
			wantCode(s, invalid, err)
		}
		s.put(row("pk", "a", "n", nums{"1", "0e1000"}))
		require.ElementsMatch(s, []string{"0", "1"}, s.get(key)["n"].(*types.AttributeValueMemberNS).Value)
		s.put(row("pk", "a", "n", nums{"1", "20", "0.3"}))
		require.NoError(s, s.update(key, "ADD n :n", ":n", nums{"1.0", "2e1", "4"}))
		require.Len(s, s.get(key)["n"].(*types.AttributeValueMemberNS).Value, 4)
		require.NoError(s, s.update(key, "DELETE n :n", ":n", nums{"1.00", ".3", "5"}))
		require.ElementsMatch(s, []string{"20", "4"}, s.get(key)["n"].(*types.AttributeValueMemberNS).Value)
		for condition, holds := range map[string]bool{
			"contains(n, :twenty)": true, "n = :same": true, "contains(n, :two)": false, ":twenty IN (:two, :again)": true, "n <> :same": false,
		} {
			found := s.all(view{filter: condition + " OR pk IN (:twenty, :same, :two, :again)", values: row(
				":twenty", num("20.0"), ":same", nums{"4.0", "2E1"}, ":two", 2, ":again", num("2.0E1"),
			)})
			require.Equal(s, holds, len(found) == 1, condition)
		}
	})
}
