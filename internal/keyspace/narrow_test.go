package keyspace

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// narrowKind is a type of key attribute, with keys that are next to each other or near a limit.
type narrowKind struct {
	name           string
	number, binary bool
	keys           []string
}

func narrowKinds() []narrowKind {
	texts, rows := everyText(2), everyBytes(2)
	for _, size := range []int{maxSortKey - 1, maxSortKey} {
		for _, unit := range []string{"a", "\x00", "\x7f"} {
			texts = append(texts, strings.Repeat(unit, size))
		}
		for _, last := range []string{"\x00", "\x7f", "\u0080", "\u07ff", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"} {
			texts = append(texts, strings.Repeat("a", size-len(last))+last, maxFill("a"+last, size))
		}
		for _, b := range []string{"\x00", "\x01", "\x7f", "\x80", "\xfe", "\xff"} {
			rows = append(rows, strings.Repeat(b, size), "a"+strings.Repeat(b, size-1), strings.Repeat("a", size-1)+b)
		}
	}
	texts = append(texts, "\ud7ff", "\ue000", "\uffff", "\U0010ffff", "a\U0010ffff", "a\uffff")
	return []narrowKind{
		{name: "S", keys: slices.DeleteFunc(texts, func(k string) bool { return k == "" })},
		{name: "B", binary: true, keys: rows},
		{name: "N", number: true, keys: []string{
			"-9.9E125", "-1E38", "-100", "-99.99999999999999999999999999999999999999", "-2", "-1.0", "-1", "-1E-130", "0", "-0", "0.0", "1E-130", "1", "1.0", "1e0",
			"1.0000000000000000000000000000000000001", "2", "9", "10", "1E1", "99", "100", "9007199254740993", "9007199254740992", "9.9E125",
		}},
	}
}

// randomRange returns a range of every operator that a read can have.
func (k narrowKind) randomRange(r *rand.Rand) Range {
	one := Range{Op: []Op{All, Eq, Lt, Le, Gt, Ge, Between, BeginsWith, None}[r.IntN(9)], Number: k.number}
	if one.Op == All || one.Op == None {
		return one
	}
	one.Lo = k.keys[r.IntN(len(k.keys))]
	switch {
	case one.Op == BeginsWith && k.number:
		one.Op = Ge
	case one.Op == BeginsWith:
		short := 1 + r.IntN(3)
		if r.IntN(2) == 0 {
			short = maxSortKey
		}
		for short < len(one.Lo) && !k.binary && one.Lo[short]&0xc0 == 0x80 {
			short++
		}
		one.Lo = one.Lo[:min(short, len(one.Lo))]
	case one.Op == Between:
		one.Hi = k.keys[r.IntN(len(k.keys))]
		if one.compare(one.Lo, one.Hi) > 0 {
			one.Lo, one.Hi = one.Hi, one.Lo
		}
	}
	return one
}

// follows is the rule that Narrow and Continues must keep.
func follows(r Range, position string, descending, inclusive bool, key string) bool {
	order := r.compare(key, position)
	after := order > 0
	if descending {
		after = order < 0
	}
	return (after || inclusive && order == 0) && r.Contains(key)
}

// allowedExtra reports whether a narrowed range may contain a key that the read does not return.
func allowedExtra(r Range, position, key string) bool {
	return r.Number && r.compare(key, position) == 0 || (r.Op == Lt || r.Op == Gt) && r.compare(key, r.Lo) == 0
}

// wrongNarrowing returns the keys about which a narrowed range is wrong.
func (k narrowKind) wrongNarrowing(r Range, position string, descending, inclusive bool, narrow func(Range, string, bool, bool, bool) Range) (wrong []string) {
	narrowed := narrow(r, position, descending, inclusive, k.binary)
	if len(narrowed.Lo) > maxSortKey || len(narrowed.Hi) > maxSortKey || narrowed.Op == Between && r.compare(narrowed.Lo, narrowed.Hi) > 0 {
		return []string{"invalid bounds"}
	}
	if !k.binary && !utf8.ValidString(narrowed.Lo+narrowed.Hi) {
		return []string{"bounds that are not UTF-8"}
	}
	if narrowed.Op != None && narrowed.Op != All && narrowed.Lo == "" || narrowed.Op == Between && narrowed.Hi == "" {
		return []string{"empty bounds"}
	}
	for _, key := range k.keys {
		want := follows(r, position, descending, inclusive, key)
		if want != r.Continues(position, descending, inclusive, key) {
			return []string{"Continues"}
		}
		if got := narrowed.Contains(key); got != want && (!got || !allowedExtra(r, position, key)) {
			wrong = append(wrong, key)
		}
	}
	return wrong
}

// A narrowed range has the keys of the range after a position, in both directions. It has no
// others, except the position of a number and the bound that the range excludes. All bounds are
// valid operands. The controls forget that the bound of a prefix needs a last key, or continue at
// the position.
func TestNarrow(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	reached, caught := map[Op]int{}, map[string]int{}
	for _, k := range narrowKinds() {
		for range testsize.Pick(4_000, 10_000, 400_000) {
			one, position := k.randomRange(r), k.keys[r.IntN(len(k.keys))]
			descending, inclusive := r.IntN(2) == 0, r.IntN(2) == 0
			reached[one.Op]++
			require.Empty(t, k.wrongNarrowing(one, position, descending, inclusive, Range.Narrow), "%s %s %x %x from %x, %t %t", k.name, one.Op, one.Lo, one.Hi, position, descending, inclusive)
			for name, narrow := range naiveNarrowing {
				if len(k.wrongNarrowing(one, position, descending, inclusive, narrow)) > 0 {
					caught[name]++
				}
			}
		}
	}
	for _, op := range []Op{All, Eq, Lt, Le, Gt, Ge, Between, BeginsWith, None} {
		require.Greater(t, reached[op], 100, op)
	}
	t.Log(reached, caught)
	for name := range naiveNarrowing {
		require.Greater(t, caught[name], 10, name)
	}
}

// naiveNarrowing are simpler rules, which are wrong.
var naiveNarrowing = map[string]func(r Range, key string, descending, inclusive, binary bool) Range{
	"a longer prefix": func(r Range, key string, descending, inclusive, binary bool) Range {
		if r.Op == BeginsWith && !descending {
			return Range{Op: Between, Lo: key, Hi: r.Lo + "\uffff"}
		}
		return r.Narrow(key, descending, inclusive, binary)
	},
	"at the position": func(r Range, key string, descending, _, binary bool) Range {
		return r.Narrow(key, descending, true, binary)
	},
	"the order of bytes": func(r Range, key string, descending, inclusive, _ bool) Range {
		narrowed := r
		narrowed.Number = false
		narrowed = narrowed.Narrow(key, descending, inclusive, true)
		narrowed.Number = r.Number
		return narrowed
	},
}

// A key of the maximum size has a next and a previous key in both orders, except at the ends.
func TestNarrowAtTheLimit(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", maxSortKey)
	between := func(lo, hi string) Range { return Range{Op: Between, Lo: lo, Hi: hi} }
	for name, c := range map[string]struct {
		r                             Range
		key                           string
		descending, inclusive, binary bool
		want                          Range
	}{
		"next text":          {r: between("a", "b"), key: long, want: between(long[:maxSortKey-1]+"b", "b")},
		"next bytes":         {r: between("a", "b"), key: long, binary: true, want: between(long[:maxSortKey-1]+"b", "b")},
		"shorter by one":     {r: between("a", "b"), key: long[1:], want: between(long[1:]+"\x00", "b")},
		"itself":             {r: between("a", "b"), key: long, inclusive: true, want: between(long, "b")},
		"carry":              {r: between("a", "c"), key: "b" + strings.Repeat("\xff", maxSortKey-1), binary: true, want: between("c", "c")},
		"last text":          {r: between("a", long), key: long, want: Range{}},
		"last bytes":         {r: between("a", strings.Repeat("\xff", maxSortKey)), key: strings.Repeat("\xff", maxSortKey), binary: true, want: Range{}},
		"previous text":      {r: between("a", "b"), key: long, descending: true, want: between("a", maxFill(long[:maxSortKey-1]+"`", maxSortKey))},
		"previous bytes":     {r: between("a", "b"), key: "a\x01", descending: true, binary: true, want: between("a", "a\x00"+strings.Repeat("\xff", maxSortKey-2))},
		"first text":         {r: between("a", "b"), key: "a", descending: true, want: Range{}},
		"prefix":             {r: Range{Op: BeginsWith, Lo: "a"}, key: "ab", want: between("ab\x00", maxFill("a", maxSortKey))},
		"whole prefix":       {r: Range{Op: BeginsWith, Lo: long}, key: long, inclusive: true, want: between(long, long)},
		"before the range":   {r: between("b", "c"), key: "a", want: between("b", "c")},
		"after the range":    {r: between("b", "c"), key: "d", want: Range{}},
		"one key":            {r: Range{Op: Eq, Lo: "b"}, key: "a", want: Range{Op: Eq, Lo: "b"}},
		"behind one key":     {r: Range{Op: Eq, Lo: "b"}, key: "b", want: Range{}},
		"all":                {r: Range{Op: All}, key: "b", want: Range{Op: Gt, Lo: "b"}},
		"all, inclusive":     {r: Range{Op: All}, key: "b", inclusive: true, want: Range{Op: Ge, Lo: "b"}},
		"all, descending":    {r: Range{Op: All}, key: "b", descending: true, want: Range{Op: Lt, Lo: "b"}},
		"numbers":            {r: Range{Op: All, Number: true}, key: "-1", descending: true, inclusive: true, want: Range{Op: Le, Number: true, Lo: "-1"}},
		"numbers in a range": {r: Range{Op: Between, Number: true, Lo: "-2", Hi: "10"}, key: "9", want: Range{Op: Between, Number: true, Lo: "9", Hi: "10"}},
	} {
		got := c.r.Narrow(c.key, c.descending, c.inclusive, c.binary)
		require.Equal(t, c.want, got, name)
	}
}

// A key is behind a range if the range does not have it, and all keys of the range come before it
// in the direction of the read. The control takes a key that is not in the range for one behind it.
func TestPassed(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	passed, caught := 0, 0
	for _, k := range narrowKinds() {
		for range testsize.Pick(300, 1_000, 20_000) {
			one, key, descending := k.randomRange(r), k.keys[r.IntN(len(k.keys))], r.IntN(2) == 0
			if one.Op == Between && r.IntN(4) == 0 {
				one.Hi = one.Lo
			}
			got, within := one.Passed(key, descending, k.binary), one.Contains(key)
			if got {
				passed++
			}
			require.False(t, got && within)
			follow := slices.ContainsFunc(k.keys, func(other string) bool { return one.Contains(other) && follows(one, key, descending, false, other) })
			require.False(t, got && follow, "%s %s %x %x, %x", k.name, one.Op, one.Lo, one.Hi, key)
			if !within && follow {
				caught++
			}
			// A bound that the range excludes is behind it.
			if one.Op == Gt && descending || one.Op == Lt && !descending {
				require.True(t, one.Passed(one.Lo, descending, k.binary))
			}
		}
	}
	require.Positive(t, passed)
	require.Positive(t, caught)
}
