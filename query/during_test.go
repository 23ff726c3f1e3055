package query_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// shift has its time in keys of every form: before another part, as the last part, in descending
// order, and as a whole attribute of type S and of type N.
type shift struct {
	_      entity.Key   `type:"shift" pk:"SITE#<site>" sk:"SHIFT#<starts:s>#<id>"`
	_      entity.Index `name:"last" on:"Last" pk:"SITE#<site>" sk:"SHIFT#<starts:ms>"`
	_      entity.Index `name:"newest" on:"Newest" pk:"SITE#<site>" sk:"SHIFT#<starts:s,desc>#<id>"`
	_      entity.Index `name:"text" on:"Text" pk:"SITE#<site>" sk:"<starts:ns>"`
	_      entity.Index `name:"seconds" on:"Seconds" pk:"SITE#<site>" sk:"<starts:unix>"`
	Site   string       `dynamodbav:"site"`
	ID     string       `dynamodbav:"id"`
	Starts time.Time    `dynamodbav:"starts"`
}

// shiftLog has keys directly after the shifts of a site.
type shiftLog struct {
	_      entity.Key `type:"shiftlog" pk:"SITE#<site>" sk:"SHIFTLOG#<starts:s>"`
	Site   string     `dynamodbav:"site"`
	Starts time.Time  `dynamodbav:"starts"`
}

var (
	rota = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Last"}, {Name: "Newest"}, {Name: "Text"},
		{Name: "Seconds", Partition: []entity.Attribute{entity.S("SecondsPK")}, Sort: []entity.Attribute{entity.N("SecondsSK")}},
	}})
	shifts    = entity.Define[shift](rota)
	shiftLogs = entity.Define[shiftLog](rota)
	starts    = attr.Must(func(s *shift) *time.Time { return &s.Starts })

	august = attr.Month(2026, 8)
	east   = time.FixedZone("east", 2*60*60)
)

// wake has times in plain attributes of each form: text, seconds, and a key format.
type wake struct {
	_      entity.Key   `type:"wake" pk:"W#<site>" sk:"W#<id>"`
	_      entity.Index `name:"by-hour" on:"Hours" pk:"W#<site>" sk:"<hour:hour>"`
	Site   string       `dynamodbav:"site"`
	ID     string       `dynamodbav:"id"`
	Text   time.Time    `dynamodbav:"text"`
	Second time.Time    `dynamodbav:"second,unixtime"`
	Hour   time.Time    `dynamodbav:"hour"`
}

// Where and Filter treat edge cases of periods alike. A period of length zero finds nothing. A
// period at the end of the last year finds its items. A period that ends before its start, or that
// has a nil location, is rejected.
func TestPeriodBounds(t *testing.T) {
	t.Parallel()
	last := time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC)
	schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
		{Name: "Hours", Sort: []entity.Attribute{entity.S("hour")}},
	}})
	wakes := entity.Define[wake](schema)
	fields := map[string]*attr.Field[wake, time.Time]{
		"text":   attr.Must(func(w *wake) *time.Time { return &w.Text }),
		"second": attr.Must(func(w *wake) *time.Time { return &w.Second }),
		"hour":   attr.Must(func(w *wake) *time.Time { return &w.Hour }),
	}
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := schema.Open(e.Client(t), "wakes")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		repo := wakes.In(table)
		for id, at := range map[string]time.Time{"now": august.Start, "last": last, "first": {}} {
			at = at.Add(time.Hour) // the zero time is absent
			if id != "first" {
				at = at.Add(-time.Hour)
			}
			require.NoError(t, repo.Create(t.Context(), &wake{Site: "s", ID: id, Text: at, Second: at, Hour: at}))
		}
		of, on := query.Of(repo, wake{Site: "s"}), query.On(repo, "by-hour", wake{Site: "s"})
		for name, c := range map[string]struct {
			period attr.Period
			want   []string // nil: rejected
		}{
			"empty":       {attr.Period{Start: august.Start, End: august.Start}, []string{}},
			"zero":        {attr.Period{Start: time.Time{}.Add(time.Hour), End: time.Time{}.Add(time.Hour)}, []string{}},
			"last year":   {attr.Year(9999), []string{"last"}},
			"to the end":  {attr.Period{Start: august.Start, End: attr.Year(9999).End}, []string{"now", "last"}},
			"reversed":    {attr.Period{Start: august.End, End: august.Start}, nil},
			"nowhere":     {august.In(nil), nil},
			"and back":    {august.In(nil).In(time.UTC), nil},
			"beyond":      {attr.Period{Start: august.Start, End: attr.Year(10000).End}, nil},
			"first there": {attr.Hour(1, 1, 1, 1), []string{"first"}},
		} {
			for field, f := range fields {
				reads := map[string]query.Query[wake]{"filter": of.Filter(attr.During(f, c.period))}
				if field == "hour" {
					reads["where"] = on.Where(attr.During(f, c.period))
				}
				for way, q := range reads {
					about := name + " " + field + " " + way
					found, err := q.Collect(t.Context())
					// seconds exceed this range
					if c.want == nil && (name != "beyond" || field != "second") {
						require.ErrorIs(t, err, trestle.ErrInvalid, about)
						continue
					}
					require.NoError(t, err, about)
					ids := []string{}
					for _, w := range found {
						ids = append(ids, w.ID)
					}
					if c.want != nil {
						require.ElementsMatch(t, c.want, ids, about)
					}
				}
			}
		}
	})
}

// A query for a period of time returns items at its first and last moment, and no item outside, for
// every form of the key and in one key condition. A closed range built by hand also returns the
// first moment of the next period.
func TestDuringIsExact(t *testing.T) {
	t.Parallel()
	moments := map[string]time.Time{
		"eve": august.Start.Add(-1), "first": august.Start, "last": august.End.Add(-1), "next": august.End,
	}
	cases := []struct {
		name string
		cond attr.KeyCond[shift]
		want []string
	}{
		{"month", attr.During(starts, august), []string{"first", "last"}},
		{"year", attr.During(starts, attr.Year(2026)), []string{"eve", "first", "last", "next"}},
		{"day", attr.During(starts, attr.Day(2026, 8, 31)), []string{"last"}},
		{"hour", attr.During(starts, attr.Hour(2026, 8, 31, 23)), []string{"last"}},
		{"the hour after", attr.During(starts, attr.Hour(2026, 8, 31, 24)), []string{"next"}},
		{"month elsewhere", attr.During(starts, august.In(east)), []string{"eve", "first"}},
		{"second", attr.During(starts, attr.Period{Start: august.Start, End: august.Start.Add(time.Second)}), []string{"first"}},
		{"since", attr.Since(starts, august.End), []string{"next"}},
		{"before", attr.Before(starts, august.Start), []string{"eve"}},
		{"by hand", starts.Between(august.Start, august.End), []string{"first", "last", "next"}},
	}
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := rota.Open(e.Client(t), "rota")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		for id, at := range moments {
			require.NoError(t, shifts.In(table).Create(t.Context(), &shift{Site: "s1", ID: id, Starts: at}))
			require.NoError(t, shiftLogs.In(table).Create(t.Context(), &shiftLog{Site: "s1", Starts: at}))
		}
		for _, access := range []string{"", "last", "newest", "text", "seconds"} {
			q := query.Of(shifts.In(table), shift{Site: "s1"})
			if access != "" {
				q = query.On(shifts.In(table), access, shift{Site: "s1"})
			}
			for _, c := range cases {
				t.Run(access+"/"+c.name, func(t *testing.T) {
					var ids []string
					for _, s := range collect(t, q.Where(c.cond).All(t.Context())) {
						ids = append(ids, s.ID)
					}
					require.ElementsMatch(t, c.want, ids)
				})
			}
			in, err := q.Where(attr.During(starts, august)).Input()
			require.NoError(t, err)
			require.Equal(t, "#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2", *in.KeyConditionExpression)
			require.Nil(t, in.FilterExpression)
		}
	})
}

// A period of length zero contains nothing, and the query sends nothing.
func TestDuringEmptyPeriod(t *testing.T) {
	t.Parallel()
	table, err := rota.Open(silent{}, "rota")
	require.NoError(t, err)
	for _, access := range []string{"last", "newest", "text", "seconds"} {
		q := query.On(shifts.In(table), access, shift{Site: "s1"})
		require.Empty(t, collect(t, q.Where(attr.During(starts, attr.Period{Start: august.Start, End: august.Start})).All(t.Context())))
	}
}

// noted stores a time as text in a format of the caller, as many tables do. moment stores it as a
// time.
type noted struct {
	_  entity.Key `type:"noted" pk:"NOTES" sk:"NOTE#<at>"`
	At string     `dynamodbav:"at"`
}

type moment struct {
	_  entity.Key `type:"moment" pk:"MOMENTS" sk:"MOMENT#<at:ms>"`
	At time.Time  `dynamodbav:"at"`
}

// Times in a fixed-width format sort correctly, whatever their time zone. The negative control uses
// time.RFC3339Nano, which sorts half a second before its full second, and a time in an eastern zone
// after a later time in UTC.
func TestTimesSort(t *testing.T) {
	t.Parallel()
	second := time.Date(2026, 8, 1, 12, 0, 29, 0, time.UTC)
	inOrder := []time.Time{second.Add(-time.Hour).In(east), second, second.Add(time.Second / 2), second.Add(time.Second)}
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{})
		notes, moments := entity.Define[noted](s), entity.Define[moment](s)
		table, err := s.Open(e.Client(t), "times")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		for _, at := range inOrder {
			require.NoError(t, notes.In(table).Put(t.Context(), &noted{At: at.Format(time.RFC3339Nano)}))
			require.NoError(t, moments.In(table).Put(t.Context(), &moment{At: at}))
		}
		right := func(i int, at time.Time) bool { return at.Equal(inOrder[i]) }
		for i, m := range collect(t, query.Of(moments.In(table), moment{}).All(t.Context())) {
			require.True(t, right(i, m.At), "moment %d", i)
		}
		wrong := 0
		for i, n := range collect(t, query.Of(notes.In(table), noted{}).All(t.Context())) {
			at, err := time.Parse(time.RFC3339Nano, n.At)
			require.NoError(t, err)
			if !right(i, at) {
				wrong++
			}
		}
		require.GreaterOrEqual(t, wrong, 3)
	})
}
