package entity_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/query"
)

// wish is an item of an existing table. Only its key holds its time, in whole seconds.
type wish struct {
	_    entity.Key `pk:"<User>" sk:"WishList#<kind:lower>#<made:s>"`
	User string
	Kind string    `dynamodbav:"kind" entity:"key"`
	Made time.Time `dynamodbav:"made" entity:"key"`
	Text string
}

// A field that only the table key holds is read as it was written, or rejected before sending.
func TestKeyOnlyFieldsOfTheTable(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Raw: true, TypeAttribute: entity.None, WriteID: entity.None})
		wishes := entity.Define[wish](s)
		table, err := s.Open(e.Client(t), "wishes")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		made := time.Date(2021, 11, 24, 7, 20, 0, 0, time.UTC)
		w := wish{User: "u1", Kind: "public", Made: made, Text: "a"}
		require.NoError(t, wishes.In(table).Create(ctx, &w))
		got, err := wishes.In(table).Get(ctx, wish{User: "u1", Kind: "public", Made: made})
		require.NoError(t, err)
		require.Equal(t, w, got)

		finer, folded := w, w
		finer.Made, folded.Kind = made.Add(time.Millisecond), "Public"
		for _, bad := range []wish{finer, folded} {
			for _, err := range []error{
				wishes.In(table).Put(ctx, &bad), wishes.In(table).Create(ctx, &bad), wishes.In(table).Delete(ctx, bad),
			} {
				require.ErrorIs(t, err, trestle.ErrInvalid)
				require.ErrorIs(t, err, keys.ErrNotExact)
			}
			_, err := wishes.In(table).Get(ctx, bad)
			require.ErrorIs(t, err, keys.ErrNotExact)
		}
	})
}

// visit is on an index by minute. Only the index keys hold its time.
type visit struct {
	_    entity.Key   `type:"visit" pk:"VISIT#<id>" sk:"VISIT"`
	_    entity.Index `name:"by-place" on:"GSI1" pk:"<place>#<made:month>" sk:"<made:minute>#<id>"`
	ID   string       `dynamodbav:"id"`
	City string       `dynamodbav:"place"`
	Made time.Time    `dynamodbav:"made" entity:"key"`
	Text string       `dynamodbav:"text"`
}

var (
	visitMade = attr.Must(func(v *visit) *time.Time { return &v.Made })
	visitCity = attr.Must(func(v *visit) *string { return &v.City })
	visitText = attr.Must(func(v *visit) *string { return &v.Text })
)

// A time that only an index key holds is read as it was written with a custom format, or rejected
// before sending.
func TestKeyOnlyFieldsOfAnIndex(t *testing.T) {
	t.Parallel()
	minute, err := keys.Layout("2006-01-02T1504")
	require.NoError(t, err)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Formats: map[string]keys.Format{"minute": minute}})
		visits := entity.Define[visit](s)
		table, err := s.Open(e.Client(t), "visits")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		repo := visits.In(table)
		made := time.Date(2021, 11, 24, 7, 20, 0, 0, time.UTC)
		v := visit{ID: "v1", City: "Oslo", Made: made, Text: "a"}
		require.NoError(t, repo.Create(ctx, &v))
		is := func(want visit) {
			t.Helper()
			got, err := repo.Strong().Get(ctx, visit{ID: want.ID})
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		is(v)
		found, err := query.On(repo, "by-place", visit{City: "Oslo", Made: made}).Where(visitMade.Eq(made)).Collect(ctx)
		require.NoError(t, err)
		require.Equal(t, []visit{v}, found)

		finer := v
		finer.Made = made.Add(time.Second)
		for _, err := range []error{repo.Put(ctx, &finer), repo.Create(ctx, &finer), updated(repo.Update(ctx, visit{ID: "v1"}, visitMade.Set(finer.Made)))} {
			require.ErrorIs(t, err, trestle.ErrInvalid)
			require.ErrorIs(t, err, keys.ErrNotExact)
		}
		is(v)

		_, err = repo.Update(ctx, visit{ID: "v1"}, visitText.Set("b"))
		require.NoError(t, err)
		v.Text = "b"
		is(v)
		_, err = repo.With(entity.ReadFirst()).Update(ctx, visit{ID: "v1"}, visitCity.Set("Bergen"))
		require.NoError(t, err)
		v.City = "Bergen"
		is(v)
		v.Made = made.AddDate(0, 1, 0)
		_, err = repo.Update(ctx, visit{ID: "v1"}, visitMade.Set(v.Made), visitCity.Set("Bergen"))
		require.NoError(t, err)
		is(v)
		_, err = repo.Update(ctx, visit{ID: "v1"}, visitMade.Remove())
		require.NoError(t, err)
		v.Made = time.Time{}
		is(v)
	})
}

// stay is on an index in the format of a Spec.
type stay struct {
	ID   string    `dynamodbav:"id"`
	Made time.Time `dynamodbav:"made" entity:"key"`
}

// TestRandomKeyOnlyTimesOfAnIndex tests that a time is read as it was written, or rejected, with
// every format. Storing the formatted time without this check would change times.
func TestRandomKeyOnlyTimesOfAnIndex(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	formats := map[string]keys.Format{}
	for _, text := range []string{"2006-01-02T1504", "2006/01/02 15:04:05.000", "2006-002", "20060102150405.999999999"} {
		if f, err := keys.Layout(text); err == nil {
			formats[strconv.Itoa(len(formats))+"x"] = f
		}
	}
	require.Len(t, formats, 3, "one differs in width")
	units := []time.Duration{1, time.Microsecond, time.Millisecond, time.Second, time.Minute, time.Hour, 24 * time.Hour}
	kept, refused, changed := 0, 0, 0
	for _, format := range append(slices.Sorted(maps.Keys(formats)), "ns", "us", "ms", "s", "unix", "hour", "day", "month", "year", "s,desc") {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Formats: formats})
		stays := entity.DefineSpec[stay](s, entity.Spec{
			Type: "stay", Key: entity.KeySpec{PK: "STAY#<id>", SK: "STAY"},
			Indexes: []entity.IndexSpec{{Name: "by-time", On: "GSI1", PK: "STAYS#<made:year>", SK: "<made:" + format + ">"}},
		})
		require.NoError(t, s.Err(), format)
		for range 200 {
			made := time.Unix(r.Int64N(4e9), r.Int64N(1e9)).UTC().Truncate(units[r.IntN(len(units))])
			if r.IntN(4) == 0 {
				made = time.Date(made.Year(), made.Month(), 1, 0, 0, 0, 0, time.UTC)
			}
			if r.IntN(8) == 0 {
				made = time.Date(made.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
			}
			item, err := stays.Encode(&stay{ID: "s", Made: made})
			if err != nil {
				require.ErrorIs(t, err, keys.ErrNotExact, "%s in %s", made, format)
				refused++
				if naive := made.Truncate(24 * time.Hour); !naive.Equal(made) {
					changed++
				}
				continue
			}
			back, err := stays.Decode(item)
			require.NoError(t, err)
			require.True(t, back.Made.Equal(made), "%s in %s: %s", made, format, back.Made)
			kept++
		}
	}
	t.Logf("%d kept, %d refused; the naive way changes %d", kept, refused, changed)
	require.Greater(t, kept, 500)
	require.Greater(t, refused, 200)
	require.Greater(t, changed, 100)
}

func updated[T any](_ T, err error) error { return err }
