package keys_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// formatInTemplate is a template with one format at a certain placeholder.
type formatInTemplate struct {
	testTemplate
	attr keys.AttrType
	at   int // index of the format's placeholder
}

func (p formatInTemplate) compile(t *testing.T) *keys.Template {
	o := p.options(t)
	o.Type = p.attr
	return compile(t, p.text, o)
}

// templatesWith returns templates with the format as the first, a middle, the last and the only
// part of a key, escaped and raw, and as the whole attribute.
func templatesWith(c formatCase) []formatInTemplate {
	text := formatCases[0]
	all := []formatInTemplate{{testTemplate: testTemplate{text: placeholder(0, c), cases: []formatCase{c}}}}
	for _, raw := range []bool{false, true} {
		if raw {
			text.value = rawText
		}
		if raw && c.kind == keys.KindText {
			c.value = rawText
		}
		a, b := placeholder(0, c), placeholder(1, c)
		all = append(all,
			formatInTemplate{testTemplate: testTemplate{text: "A#" + a + "#<b>", cases: []formatCase{c, text}, raw: raw}},
			formatInTemplate{testTemplate: testTemplate{text: a + "#END", cases: []formatCase{c}, raw: raw}},
			formatInTemplate{testTemplate: testTemplate{text: "<a>#" + b + "#<c>", cases: []formatCase{text, c, text}, raw: raw}, at: 1},
			formatInTemplate{testTemplate: testTemplate{text: "A#<a>#B#" + b, cases: []formatCase{text, c}, raw: raw}, at: 1},
			formatInTemplate{testTemplate: testTemplate{text: "A-" + a, cases: []formatCase{c}, raw: raw}},
		)
	}
	return all
}

// period returns a During comparison with ordered operands, and tuples on both sides of its ends.
func (p formatInTemplate) period(r *rand.Rand) (comparison, [][]keys.Value, bool) {
	c := p.cases[p.at]
	var tuple []keys.Value
	for _, c := range p.cases {
		tuple = append(tuple, c.kept(c.value(r)))
	}
	start, end := c.kept(c.value(r)), c.kept(c.value(r))
	if compareValues(start, end) > 0 {
		start, end = end, start
	}
	var tuples [][]keys.Value
	for _, v := range append(append(justBelow(start), justBelow(end)...), start, end, tuple[p.at]) {
		near := append([]keys.Value(nil), tuple...)
		near[p.at] = v
		tuples = append(tuples, near)
	}
	q := comparison{fixed: tuple[:p.at], op: keyspace.During, operands: []keys.Value{start, end}}
	return q, tuples, !start.Equal(end)
}

// justBelow returns the values just before v, or near v if there is no previous value. Not every
// format can write them.
func justBelow(v keys.Value) []keys.Value {
	switch v.Kind() {
	case keys.KindText:
		text := []rune(v.Text())
		last := len(text) - 1
		lowered := string(text[:last]) + string(max(0, text[last]-1))
		return []keys.Value{keys.Text(string(text[:last])), keys.Text(lowered), keys.Text(lowered + "\U0010FFFF")}
	case keys.KindBytes:
		b := v.Bytes()
		last := len(b) - 1
		lowered := append(v.Bytes()[:last], b[last]-min(1, b[last]))
		return []keys.Value{keys.Bytes(b[:last]), keys.Bytes(lowered), keys.Bytes(append(lowered, 0xff))}
	case keys.KindInt:
		return []keys.Value{keys.Int(v.Int() - min(1, v.Int()-math.MinInt64))}
	case keys.KindUint:
		return []keys.Value{keys.Uint(v.Uint() - min(1, v.Uint()))}
	case keys.KindFloat:
		return []keys.Value{keys.Float(math.Nextafter(v.Float(), math.Inf(-1))), keys.Float(-1e-130)}
	case keys.KindTime:
		return []keys.Value{keys.Time(v.Time().Add(-1))}
	}
	return []keys.Value{keys.Bool(false)}
}

// TestDuring checks every format in every place of a key. A period contains its start and the last
// value before its end. It contains neither its end nor the last value before its start.
func TestDuring(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	var all []formatInTemplate
	for _, c := range formatCases {
		if c.ordered {
			all = append(all, templatesWith(c)...)
		}
	}
	for _, c := range attributeCases {
		all = append(all, formatInTemplate{testTemplate: testTemplate{text: placeholder(0, c.formatCase), cases: []formatCase{c.formatCase}}, attr: c.attr})
	}
	r := testrand.New(t)
	rounds := testsize.Pick(100, 150, 3000)
	for _, p := range all {
		template := p.compile(t)
		full := 0
		for tries := 0; full < rounds; tries++ {
			require.Less(t, tries, rounds*20+100, "%s %q: too few periods with a value in them", p.attr, p.text)
			q, tuples, isFull := p.period(r)
			got, err := p.check(template, renderable(template, tuples), q)
			// The start is the zero time, or raw text starts with $U.
			if errors.Is(err, keys.ErrAbsent) || p.raw && errors.Is(err, keys.ErrReserved) {
				continue
			}
			require.NoError(t, err, "%s %q", p.attr, p.text)
			require.LessOrEqual(t, max(len(got.Lo), len(got.Hi)), 1024)
			want := keyspace.None
			if isFull {
				full++
				want = keyspace.Between
			}
			require.Equal(t, want, got.Op)
			require.True(t, !isFull || got.Contains(got.Lo) && got.Contains(got.Hi), "the service refuses bounds in the wrong order")
		}
	}
}

// closed is a template that implements During with Between.
type closed struct {
	*keys.Template
	end func(keys.Value) keys.Value // returns the last value before the end of a period
}

func (c closed) Range(fixed []keys.Value, op keyspace.Op, operands ...keys.Value) (keyspace.Range, error) {
	last := c.end(operands[1])
	if op != keyspace.During || compareValues(operands[0], last) > 0 {
		return keyspace.Range{}, nil
	}
	return c.Template.Range(fixed, keyspace.Between, operands[0], last)
}

// TestDuringControl checks that such a period wrongly includes its end, or misses the values after
// its last second.
func TestDuringControl(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	lastSecond := func(v keys.Value) keys.Value { return keys.Time(v.Time().Add(-time.Second)) }
	for _, c := range []struct {
		format string
		end    func(keys.Value) keys.Value
		wrong  bool
	}{{"s", identity, true}, {"ms", identity, true}, {"ms", lastSecond, true}, {"s", lastSecond, false}} {
		format := formatCase{keys.KindTime, c.format, true, sinceEpoch, func(v keys.Value) keys.Value { return keys.Time(timeModels[c.format](v.Time())) }}
		for _, p := range templatesWith(format) {
			wrong := 0
			for range 100 {
				q, tuples, _ := p.period(r)
				if _, err := p.check(closed{p.compile(t), c.end}, tuples, q); err != nil {
					require.ErrorIs(t, err, errWrong)
					wrong++
				}
			}
			require.Equal(t, c.wrong, wrong > 0, fmt.Sprint(c.format, " ", p.text))
		}
	}
}

func sinceEpoch(r *rand.Rand) keys.Value { return anyTime(r, 0) }

// TestDuringRejects checks the error for each kind of invalid period.
func TestDuringRejects(t *testing.T) {
	t.Parallel()
	at := func(day, hour int) keys.Value { return keys.Time(time.Date(2026, 8, day, hour, 0, 0, 0, time.UTC)) }
	o := keys.Options{Kind: kindsOf(map[string]keys.Kind{"at": keys.KindTime, "n": keys.KindInt, "id": keys.KindText})}
	for _, c := range []struct {
		template string
		operands []keys.Value
		want     error
	}{
		{"A#<at:day>#<id>", []keys.Value{at(2, 0), at(1, 0)}, keys.ErrReversed},
		{"A#<at:day,desc>#<id>", []keys.Value{at(2, 0), at(1, 0)}, keys.ErrReversed},
		{"<at:day,desc>", []keys.Value{at(2, 0), at(1, 0)}, keys.ErrReversed},
		{"A#<at:day>#<id>", []keys.Value{at(1, 0), at(2, 1)}, keys.ErrNotExact},
		{"A#<at:day>#<id>", []keys.Value{at(1, 1), at(2, 0)}, keys.ErrNotExact},
		{"A#<at:month>", []keys.Value{at(1, 0), at(2, 0)}, keys.ErrNotExact},
		{"A#<at:day>", []keys.Value{at(1, 0), keys.Time(time.Date(10000, 1, 2, 0, 0, 0, 0, time.UTC))}, keys.ErrNotExact},
		{"A#<at:day>", []keys.Value{keys.Time(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)), keys.Time(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))}, keys.ErrNotExact},
		{"A#<at:day>", []keys.Value{at(1, 0), {}}, keys.ErrAbsent},
		{"A#<at:day>", []keys.Value{{}, at(1, 0)}, keys.ErrAbsent},
		{"A#<at:day>", []keys.Value{at(1, 0)}, keys.ErrInvalid},
		{"A#<at:day>", []keys.Value{at(1, 0), at(2, 0), at(3, 0)}, keys.ErrInvalid},
		{"A#<n:raw>", []keys.Value{keys.Int(1), keys.Int(2)}, keys.ErrOperator},
		{"A#<n:02>", []keys.Value{keys.Int(1), keys.Int(100)}, keys.ErrNotExact},
		{"A#<at:day>", []keys.Value{keys.Int(1), keys.Int(2)}, keys.ErrInvalid},
	} {
		got, err := compile(t, c.template, o).Range(nil, keyspace.During, c.operands...)
		require.ErrorIs(t, err, c.want, c.template)
		require.Zero(t, got)
	}
}

// TestDuringTheLastYear checks that a period may end after the last year of a format. It then has
// no upper bound.
func TestDuringTheLastYear(t *testing.T) {
	t.Parallel()
	o := keys.Options{Kind: kindsOf(map[string]keys.Kind{"at": keys.KindTime, "id": keys.KindText})}
	start := keys.Time(time.Date(9999, time.January, 1, 0, 0, 0, 0, time.UTC))
	end := time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC)
	for _, format := range []string{"year", "month", "day", "hour", "s", "ms", "ns", "unix", "day,desc", "ns,desc"} {
		for _, template := range []string{"A#<at:" + format + ">#<id>", "<at:" + format + ">"} {
			tmpl := compile(t, template, o)
			got, err := tmpl.Range(nil, keyspace.During, start, keys.Time(end))
			require.NoError(t, err, template)
			want, err := tmpl.Range(nil, keyspace.Ge, start)
			require.NoError(t, err, template)
			require.Equal(t, want, got, template)
			_, err = tmpl.Range(nil, keyspace.During, start, keys.Time(end.AddDate(1, 0, 0)))
			require.ErrorIs(t, err, keys.ErrNotExact, template)
		}
	}
}
