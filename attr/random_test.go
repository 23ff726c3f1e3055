package attr_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/trestledb/trestle/attr"
)

// Sample is the item type of random conditions.
type Sample struct {
	_     Key            `type:"sample" pk:"S#<id>" sk:"#"`
	ID    string         `dynamodbav:"id"`
	Text  string         `dynamodbav:"text,omitempty"`
	Other string         `dynamodbav:"other"`
	N     int64          `dynamodbav:"n"`
	U     *int           `dynamodbav:"u,omitempty"`
	F     float64        `dynamodbav:"f"`
	Flag  bool           `dynamodbav:"flag"`
	At    time.Time      `dynamodbav:"at"`
	End   *time.Time     `dynamodbav:"end,omitempty"`
	Exp   time.Time      `dynamodbav:"exp,unixtime"`
	Bin   []byte         `dynamodbav:"bin,omitempty"`
	List  []string       `dynamodbav:"list,omitempty"`
	Set   []string       `dynamodbav:"set,stringset,omitempty"`
	Nums  []int          `dynamodbav:"nums,numberset,omitempty"`
	Map   map[string]int `dynamodbav:"map,omitempty"`
	Sub   *SampleSub     `dynamodbav:"sub,omitempty"`
}

type SampleSub struct {
	City string `dynamodbav:"city,omitempty"`
	Rank int    `dynamodbav:"rank"`
}

var (
	sText  = attr.Must(func(x *Sample) *string { return &x.Text })
	sOther = attr.Must(func(x *Sample) *string { return &x.Other })
	sN     = attr.Must(func(x *Sample) *int64 { return &x.N })
	sU     = attr.Must(func(x *Sample) *int { return x.U })
	sF     = attr.Must(func(x *Sample) *float64 { return &x.F })
	sFlag  = attr.Must(func(x *Sample) *bool { return &x.Flag })
	sAt    = attr.Must(func(x *Sample) *time.Time { return &x.At })
	sEnd   = attr.Must(func(x *Sample) *time.Time { return x.End })
	sExp   = attr.Must(func(x *Sample) *time.Time { return &x.Exp })
	sBin   = attr.Must(func(x *Sample) *[]byte { return &x.Bin })
	sList  = attr.Must(func(x *Sample) *[]string { return &x.List })
	sSet   = attr.Must(func(x *Sample) *[]string { return &x.Set })
	sNums  = attr.Must(func(x *Sample) *[]int { return &x.Nums })
	sMap   = attr.Must(func(x *Sample) *map[string]int { return &x.Map })
	sCity  = attr.Must(func(x *Sample) *string { return &x.Sub.City })
	sRank  = attr.Must(func(x *Sample) *int { return &x.Sub.Rank })
)

// The pools of values are small, so that equal values occur.
var (
	textPool = []string{"a", "ab", "abc", "b", "B", "é", "z", "\U0010ffff"}
	timePool = makeTimes()
	intPool  = []int{-10, -1, 0, 1, 9, 10, 11, 100}
)

func makeTimes() (times []time.Time) {
	for _, s := range []int{0, 29, 30} {
		for _, ns := range []int{0, 1, 5e8, 55e7, 555e6, 999999999, 505e6, 5e7} {
			times = append(times, time.Date(2026, 8, 1, 0, 0, s, ns, time.UTC))
		}
	}
	return append(times, time.Date(1969, 12, 31, 23, 59, 59, 5e8, time.UTC), time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
}

func pick[E any](r *rand.Rand, pool []E) E { return pool[r.IntN(len(pool))] }

func some[E cmp.Ordered](r *rand.Rand, pool []E) []E {
	var s []E
	for range r.IntN(4) {
		s = append(s, pick(r, pool))
	}
	slices.Sort(s)
	return slices.Compact(s)
}

func randomSample(r *rand.Rand, id string) *Sample {
	x := &Sample{
		ID: id, Other: pick(r, textPool), N: int64(pick(r, intPool)), F: float64(pick(r, intPool)) / 4, Flag: r.IntN(2) == 0,
		At: pick(r, timePool), Exp: pick(r, timePool), List: some(r, textPool), Set: some(r, textPool), Nums: some(r, intPool),
	}
	if r.IntN(4) > 0 {
		x.Text = pick(r, textPool)
	}
	if r.IntN(3) > 0 {
		u := pick(r, intPool)
		x.U = &u
		end := pick(r, timePool)
		x.End = &end
	}
	if r.IntN(3) > 0 {
		x.Bin = []byte(pick(r, textPool))
		x.Map = map[string]int{pick(r, textPool): pick(r, intPool)}
	}
	if r.IntN(3) > 0 {
		x.Sub = &SampleSub{Rank: pick(r, intPool)}
		if r.IntN(2) > 0 {
			x.Sub.City = pick(r, textPool)
		}
	}
	return x
}

// table returns n samples. The first four are not completely random: they make both results of rare
// conditions occur, such as a comparison of two fields.
func table(r *rand.Rand, n int) []*Sample {
	samples := make([]*Sample, n)
	for i := range samples {
		x := randomSample(r, fmt.Sprintf("x%02d", i))
		switch i {
		case 0:
			x.Text, x.Flag, x.Sub = x.Other, true, &SampleSub{Rank: 1}
		case 1:
			x.Text, x.Flag, x.Sub = "", false, nil
		case 2:
			x.Text, x.Other = "a", "b"
		case 3:
			x.Text, x.Other = "ab", "a"
		}
		samples[i] = x
	}
	return samples
}

// randomCond is a random condition, and the same condition in Go.
type randomCond struct {
	name  string
	cond  attr.Cond[Sample]
	holds func(*Sample) bool
}

// getter returns a field's value in Go. It returns false if the item has no such attribute.
type getter[F any] func(*Sample) (F, bool)

// orderedCond returns a condition with any operator on a field that has an order.
func orderedCond[F any](r *rand.Rand, name string, f *attr.Field[Sample, F], v F, w F, get getter[F], order func(a, b F) int) randomCond {
	op := func(name string, c attr.Cond[Sample], want func(n int) bool) randomCond {
		return randomCond{name, c, func(x *Sample) bool {
			have, ok := get(x)
			return ok && want(order(have, v))
		}}
	}
	lo, hi := v, w
	if order(lo, hi) > 0 {
		lo, hi = hi, lo
	}
	switch r.IntN(9) {
	case 0:
		return op(name+": =", f.Eq(v), func(n int) bool { return n == 0 })
	case 1:
		return op(name+": <", f.Lt(v), func(n int) bool { return n < 0 })
	case 2:
		return op(name+": <=", f.Le(v), func(n int) bool { return n <= 0 })
	case 3:
		return op(name+": >", f.Gt(v), func(n int) bool { return n > 0 })
	case 4:
		return op(name+": >=", f.Ge(v), func(n int) bool { return n >= 0 })
	case 5:
		return randomCond{name + ": between", f.Between(lo, hi), func(x *Sample) bool {
			have, ok := get(x)
			return ok && order(have, lo) >= 0 && order(have, hi) <= 0
		}}
	case 6:
		return randomCond{name + ": in", f.In(v, w), func(x *Sample) bool {
			have, ok := get(x)
			return ok && (order(have, v) == 0 || order(have, w) == 0)
		}}
	case 7:
		return randomCond{name + ": exists", f.Exists(), func(x *Sample) bool { _, ok := get(x); return ok }}
	default:
		return randomCond{name + ": <>", f.Ne(v), func(x *Sample) bool {
			have, ok := get(x)
			return !ok || order(have, v) != 0
		}}
	}
}

func present[F any](get func(*Sample) F) getter[F] {
	return func(x *Sample) (F, bool) { return get(x), true }
}

func text(x *Sample) (string, bool) { return x.Text, x.Text != "" }

// wholeSeconds truncates a time to seconds, as its stored form does.
func wholeSeconds(x *Sample) (time.Time, bool) { return x.Exp.Truncate(time.Second), true }

// randomLeaf returns a condition on one field.
func randomLeaf(r *rand.Rand) randomCond {
	s, s2 := pick(r, textPool), pick(r, textPool)
	i, j := pick(r, intPool), pick(r, intPool)
	t1, t2 := pick(r, timePool), pick(r, timePool)
	switch r.IntN(29) { // size and other have one case for each kind of condition
	case 0:
		return orderedCond(r, "text", sText, s, s2, text, strings.Compare)
	case 1:
		return orderedCond(r, "number", sN, int64(i), int64(j), present(func(x *Sample) int64 { return x.N }), cmp.Compare)
	case 2:
		return orderedCond(r, "pointer", sU, i, j, func(x *Sample) (int, bool) {
			if x.U == nil {
				return 0, false
			}
			return *x.U, true
		}, cmp.Compare)
	case 3:
		return orderedCond(r, "float", sF, float64(i)/4, float64(j)/4, present(func(x *Sample) float64 { return x.F }), cmp.Compare)
	case 4:
		return randomCond{"bool =", sFlag.Eq(true), func(x *Sample) bool { return x.Flag }}
	case 5, 6:
		return orderedCond(r, "time", sAt, t1, t2, present(func(x *Sample) time.Time { return x.At }), time.Time.Compare)
	case 7:
		return orderedCond(r, "time pointer", sEnd, t1, t2, func(x *Sample) (time.Time, bool) {
			if x.End == nil {
				return time.Time{}, false
			}
			return *x.End, true
		}, time.Time.Compare)
	case 8:
		return unixCond(r, t1, t2)
	case 9:
		return orderedCond(r, "bytes", sBin, []byte(s), []byte(s2), func(x *Sample) ([]byte, bool) { return x.Bin, x.Bin != nil }, bytes.Compare)
	case 10:
		return randomCond{"contains list", attr.Contains(sList, s), func(x *Sample) bool { return slices.Contains(x.List, s) }}
	case 11:
		return randomCond{"contains set", attr.Contains(sSet, s), func(x *Sample) bool { return slices.Contains(x.Set, s) }}
	case 12:
		return randomCond{"contains number", attr.Contains(sNums, i), func(x *Sample) bool { return slices.Contains(x.Nums, i) }}
	case 13:
		return randomCond{"contains text", attr.ContainsText(sOther, s), func(x *Sample) bool { return strings.Contains(x.Other, s) }}
	case 14:
		return randomCond{"begins with", attr.BeginsWith(sText, s), func(x *Sample) bool { return x.Text != "" && strings.HasPrefix(x.Text, s) }}
	case 15, 19, 20:
		return sizeCond(r)
	case 16:
		return orderedCond(r, "nested text", sCity, s, s2, func(x *Sample) (string, bool) {
			if x.Sub == nil {
				return "", false
			}
			return x.Sub.City, x.Sub.City != ""
		}, strings.Compare)
	case 17:
		return orderedCond(r, "element", attr.At(sList, i&1), s, s2, func(x *Sample) (string, bool) {
			if len(x.List) <= i&1 {
				return "", false
			}
			return x.List[i&1], true
		}, strings.Compare)
	case 18:
		return orderedCond(r, "entry", attr.Key(sMap, s), i, j, func(x *Sample) (int, bool) { n, ok := x.Map[s]; return n, ok }, cmp.Compare)
	default:
		return otherCond(r, t1, t2)
	}
}

// unixCond returns conditions on times that are stored in seconds. Equality compares the stored
// seconds; other operators compare the times.
func unixCond(r *rand.Rand, t1, t2 time.Time) randomCond {
	a := orderedCond(r, "seconds", sExp, t1, t2, wholeSeconds, time.Time.Compare)
	if slices.Contains([]string{"seconds: =", "seconds: in", "seconds: <>"}, a.name) {
		return randomCond{"seconds: =", sExp.Eq(t1), func(x *Sample) bool { return x.Exp.Unix() == t1.Unix() }}
	}
	return a
}

func sizeCond(r *rand.Rand) randomCond {
	n := r.IntN(3)
	switch r.IntN(3) {
	case 0:
		return randomCond{"size of list", attr.Size(sList).Gt(n), func(x *Sample) bool { return x.List != nil && len(x.List) > n }}
	case 1:
		return randomCond{"size of set", attr.Size(sSet).Le(n), func(x *Sample) bool { return x.Set != nil && len(x.Set) <= n }}
	default:
		return randomCond{"size of text", attr.Size(sText).Eq(n), func(x *Sample) bool { return x.Text != "" && len(utf16.Encode([]rune(x.Text))) == n }}
	}
}

func otherCond(r *rand.Rand, t1, t2 time.Time) randomCond {
	both := func(want func(n int) bool) func(*Sample) bool {
		return func(x *Sample) bool { return x.Text != "" && want(strings.Compare(x.Text, x.Other)) }
	}
	if t2.Before(t1) {
		t1, t2 = t2, t1
	}
	switch r.IntN(8) {
	case 0:
		return randomCond{"field = field", attr.Compare(sText, sOther).Eq(), both(func(n int) bool { return n == 0 })}
	case 1:
		return randomCond{"field < field", attr.Compare(sText, sOther).Lt(), both(func(n int) bool { return n < 0 })}
	case 2:
		return randomCond{"field >= field", attr.Compare(sText, sOther).Ge(), both(func(n int) bool { return n >= 0 })}
	case 3:
		return randomCond{"field <> field", attr.Compare(sText, sOther).Ne(), func(x *Sample) bool { return x.Text != x.Other }}
	case 4:
		return randomCond{"is type", sText.IsType(attr.String), func(x *Sample) bool { return x.Text != "" }}
	case 5:
		return randomCond{"not exists", sRank.NotExists(), func(x *Sample) bool { return x.Sub == nil }}
	case 6:
		p := attr.Period{Start: t1, End: t2.Add(1)}
		return randomCond{"during", attr.During(sAt, p), func(x *Sample) bool { return !x.At.Before(p.Start) && x.At.Before(p.End) }}
	default:
		p := attr.Period{Start: t1, End: t2.Add(1)}
		return randomCond{"during seconds", attr.During(sExp, p), func(x *Sample) bool {
			s, _ := wholeSeconds(x)
			return !s.Before(p.Start) && s.Before(p.End)
		}}
	}
}

// randomTree returns a combined condition, and the conditions on one field in it.
func randomTree(r *rand.Rand, depth int) (randomCond, []randomCond) {
	if depth == 0 || r.IntN(3) == 0 {
		a := randomLeaf(r)
		return a, []randomCond{a}
	}
	kids, leaves := make([]randomCond, 1+r.IntN(3)), []randomCond(nil)
	conds := make([]attr.Cond[Sample], len(kids))
	for i := range kids {
		var below []randomCond
		kids[i], below = randomTree(r, depth-1)
		conds[i] = kids[i].cond
		leaves = append(leaves, below...)
	}
	var a randomCond
	switch r.IntN(3) {
	case 0:
		a = randomCond{"and", attr.And(conds...), func(x *Sample) bool {
			return !slices.ContainsFunc(kids, func(k randomCond) bool { return !k.holds(x) })
		}}
	case 1:
		a = randomCond{"or", attr.Or(conds...), func(x *Sample) bool { return slices.ContainsFunc(kids, func(k randomCond) bool { return k.holds(x) }) }}
	default:
		a = randomCond{"not", attr.Not(conds[0]), func(x *Sample) bool { return !kids[0].holds(x) }}
	}
	return a, append(leaves, a)
}
