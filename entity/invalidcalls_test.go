package entity_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/maintain"
)

// refusedWith requires an ErrInvalid whose text has all the parts.
func refusedWith(t *testing.T, err error, parts ...string) {
	t.Helper()
	require.ErrorIs(t, err, trestle.ErrInvalid)
	if e := (*trestle.OpError)(nil); errors.As(err, &e) {
		require.Contains(t, []trestle.Outcome{trestle.NotApplied, trestle.NoWrite}, e.Outcome)
	}
	for _, part := range parts {
		require.Contains(t, err.Error(), part)
	}
}

func TestOpenReportsAllIssues(t *testing.T) {
	t.Parallel()
	sound := entity.NewSchema(entity.Config{})
	entity.Define[note](sound)
	good := canned(says(200, `{}`))
	var none *dynamodb.Client
	noRegion := dynamodb.New(dynamodb.Options{})

	for _, c := range []struct {
		name   string
		client trestle.Client
		table  string
		option []entity.TableOption
		fields int // reported problems
	}{
		{"no client", nil, "app", nil, 1},
		{"a nil client", none, "app", nil, 1},
		{"a nil client of another type", (*mock)(nil), "app", nil, 1},
		{"no Region", noRegion, "app", nil, 1},
		{"no name", good, "", nil, 1},
		{"a short name", good, "ab", nil, 1},
		{"a long name", good, strings.Repeat("a", 256), nil, 1},
		{"a name of other characters", good, "über", nil, 1},
		{"a nil option", good, "app", []entity.TableOption{nil}, 1},
		{"all of it", noRegion, "a b", []entity.TableOption{entity.ReadFirst(), nil}, 3},
	} {
		table, err := sound.Open(c.client, c.table, c.option...)
		require.Nil(t, table, c.name)
		refusedWith(t, err)
		require.Len(t, strings.Split(err.Error(), "; "), c.fields, c.name)
	}
	for _, name := range []string{"abc", strings.Repeat("a", 255), "a.b-c_D9", "arn:aws:dynamodb:eu-north-1:123456789012:table/app"} {
		_, err := sound.Open(good, name)
		require.NoError(t, err)
	}
}

type broken struct {
	_  entity.Key `type:"broken" pk:"A#<idd>" sk:"B#<id>"`
	ID string     `dynamodbav:"id"`
	At int        `dynamodbav:"at" entity:"verzion"`
}

// Open reports the mistakes of the schema and of its own arguments together, and errors.As finds
// each.
func TestOpenReportsIssuesOfTheSchema(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "x"}}})
	things := entity.Define[broken](s)
	entity.Define[*note](s)
	_, err := s.Open(nil, "a b")
	var faults *trestle.DefinitionError
	require.ErrorAs(t, err, &faults)
	require.GreaterOrEqual(t, len(faults.Issues), 4)
	var e *trestle.OpError
	require.ErrorAs(t, err, &e)
	require.ErrorIs(t, err, trestle.ErrInvalid)
	require.Equal(t, s.Err(), error(faults))

	_, err = things.Encode(&broken{})
	require.ErrorAs(t, err, &faults)
	requireOutcome(t, err, trestle.ErrInvalid, trestle.NoWrite)
	_, err = things.Decode(nil)
	requireOutcome(t, err, trestle.ErrInvalid, trestle.NoWrite)
	_, err = things.KeyOf(broken{})
	requireOutcome(t, err, trestle.ErrInvalid, trestle.NoWrite)
}

// All empty values are rejected, and nothing panics.
func TestZeroValues(t *testing.T) {
	t.Parallel()
	var zeroRepo *entity.Repo[note]
	var zeroReader *entity.Reader[note]
	var zeroType entity.Type[note]
	var nilType *entity.Type[note]
	var zeroSchema entity.Schema
	var nilSchema *entity.Schema
	var zeroProjection entity.Projection[note, badge]
	o := newOffice(t, canned(says(200, `{}`)))
	ctx, n := t.Context(), note{ID: "n"}

	for name, repo := range map[string]*entity.Repo[note]{
		"zero": zeroRepo, "of a zero type": zeroType.In(o.table), "of no type": nilType.In(o.table), "on no table": o.Notes.In(nil),
		"on a zero table": o.Notes.In(&entity.Table{}), "with": zeroRepo.With(entity.ReadFirst()),
	} {
		_, err := repo.Get(ctx, n)
		refusedWith(t, err)
		_, err = repo.Strong().Get(ctx, n)
		refusedWith(t, err)
		_, err = repo.Update(ctx, n, noteCount.Set(1))
		refusedWith(t, err)
		_, err = repo.Upsert(ctx, n, noteCount.Set(1))
		refusedWith(t, err)
		for _, err := range []error{repo.Create(ctx, &n), repo.Put(ctx, &n), repo.Overwrite(ctx, &n), repo.Delete(ctx, n), repo.Put(ctx, nil)} {
			refusedWith(t, err)
		}
		for _, o := range []*entity.Op[note]{repo.Op().Get(n), repo.Op().Put(&n), repo.Op().Update(n, noteCount.Set(1)), repo.Op().Delete(n)} {
			_, err = o.Input()
			refusedWith(t, err)
			_, err = o.Explain()
			refusedWith(t, err)
			_, err = o.Do(ctx)
			refusedWith(t, err)
		}
		_, err = repo.Op().Put(&n).Return(trestle.AllOld).Do(ctx)
		refusedWith(t, err)
		_, err = repo.Op().Put(&n).Return(0).Do(ctx)
		refusedWith(t, err)
		_, err = zeroProjection.Get(ctx, repo, n)
		refusedWith(t, err)
		require.NotEmpty(t, name)
	}
	_, err := zeroReader.Get(ctx, n)
	refusedWith(t, err)
	for _, typ := range []*entity.Type[note]{&zeroType, nilType, entity.Define[note](nilSchema), entity.Define[note](&zeroSchema)} {
		_, err = typ.Encode(&n)
		refusedWith(t, err)
		_, err = typ.Decode(nil)
		refusedWith(t, err)
		_, err = typ.KeyOf(n)
		refusedWith(t, err)
		require.Empty(t, typ.Name())
		_, err = entity.Project[badge](typ).Get(ctx, o.notes, n)
		refusedWith(t, err)
	}
	for _, s := range []*entity.Schema{nilSchema, &zeroSchema} {
		_, err = s.Open(o.client, "app")
		refusedWith(t, err)
		require.ErrorIs(t, s.Err(), trestle.ErrInvalid)
		require.Nil(t, s.Definition("app"))
	}
	_, err = zeroProjection.Get(ctx, nil, n)
	refusedWith(t, err)
	_, err = zeroProjection.Input(o.notes, n)
	refusedWith(t, err)
}

// Nil entities, conditions and changes are rejected before anything is sent.
func TestNilArguments(t *testing.T) {
	t.Parallel()
	sent := 0
	o := newOffice(t, canned(func(r request) reply { sent++; return says(200, `{}`)(r) }))
	ctx, n := t.Context(), note{ID: "n"}
	refusedWith(t, o.notes.Create(ctx, nil))
	refusedWith(t, o.notes.Put(ctx, nil))
	refusedWith(t, o.notes.Overwrite(ctx, nil))
	refusedWith(t, o.notes.Put(ctx, &n, nil))
	refusedWith(t, o.notes.Delete(ctx, n, nil))
	_, err := o.notes.Update(ctx, n, nil)
	refusedWith(t, err)
	_, err = o.notes.Update(ctx, n, noteCount.Set(1), nil)
	refusedWith(t, err)
	_, err = o.notes.Update(ctx, n, attr.If[note](nil))
	refusedWith(t, err)
	_, err = o.notes.Update(ctx, n, (&attr.Field[note, int]{}).Set(1))
	refusedWith(t, err)
	_, err = o.notes.Op().Create(nil).Input()
	refusedWith(t, err)
	_, err = o.Notes.Encode(nil)
	refusedWith(t, err)
	require.Zero(t, sent)
}

func TestTypeOfAnotherSchema(t *testing.T) {
	t.Parallel()
	o := newOffice(t, canned(says(200, `{}`)))
	foreign := newOffice(t, canned(says(200, `{}`)))
	_, err := o.Notes.In(foreign.table).Get(t.Context(), note{ID: "n"})
	refusedWith(t, err)
	badges := entity.Project[badge](entity.Define[note](entity.NewSchema(entity.Config{})))
	_, err = badges.Get(t.Context(), o.notes, note{ID: "n"})
	refusedWith(t, err)
}

// A type that is defined after Open is rejected wherever it is used, and affects no other type.
func TestTypeDefinedAfterOpen(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	notes := entity.Define[note](s)
	client := canned(says(200, `{}`))
	table, err := s.Open(client, "app")
	require.NoError(t, err)
	late := entity.Define[single](s)
	_, err = late.In(table).Get(t.Context(), single{ID: "a"})
	refusedWith(t, err)
	_, err = late.Encode(&single{ID: "a"})
	refusedWith(t, err)
	_, err = entity.Project[badge](notes).Get(t.Context(), notes.In(table), note{ID: "n"})
	refusedWith(t, err)
	_, err = entity.Project[badge](late).Get(t.Context(), late.In(table), single{ID: "n"})
	refusedWith(t, err)

	again, err := s.Open(client, "app")
	require.NoError(t, err)
	require.NoError(t, notes.In(again).Put(t.Context(), &note{ID: "n"}))
	_, err = notes.Encode(&note{ID: "n"})
	require.NoError(t, err)
}

// Late definitions, opens and calls may run concurrently, without a data race.
func TestDefineDuringCalls(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	notes := entity.Define[note](s)
	client := canned(says(200, `{"Item":{"PK":{"S":"NOTE#n"},"SK":{"S":"NOTE#n"},"_type":{"S":"note"},"id":{"S":"n"}}}`))
	table, err := s.Open(client, "app")
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { entity.Define[single](s) })
		wg.Go(func() { s.Definition("x") })
		wg.Go(func() {
			if _, err := s.Open(client, "app"); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if _, err := notes.In(table).Get(t.Context(), note{ID: "n"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// Errors report all mistakes of an entity at once.
func TestValidationErrorsNameEveryField(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	things := entity.Define[pair](s)
	_, err := things.KeyOf(pair{})
	refusedWith(t, err, "a:", "b:")
	_, err = things.Encode(&pair{Text: "x"})
	refusedWith(t, err, "a:", "b:")
}

func TestTableWithoutOpen(t *testing.T) {
	t.Parallel()
	for _, table := range []*entity.Table{nil, {}} {
		require.ErrorIs(t, table.Create(t.Context()), trestle.ErrInvalid)
		require.ErrorIs(t, maintain.Check(t.Context(), table), trestle.ErrInvalid)
		require.Empty(t, table.Name())
	}
}

func TestGoTypeIsDefinedOnce(t *testing.T) {
	t.Parallel()
	type plain struct {
		ID string `dynamodbav:"id"`
	}
	s := entity.NewSchema(entity.Config{})
	entity.DefineSpec[plain](s, entity.Spec{Type: "live", Key: entity.KeySpec{PK: "LIVE#<id>", SK: "P"}})
	require.NoError(t, s.Err())
	entity.DefineSpec[plain](s, entity.Spec{Type: "old", Key: entity.KeySpec{PK: "OLD#<id>", SK: "P"}})
	var e *trestle.DefinitionError
	require.ErrorAs(t, s.Err(), &e)
	require.Len(t, e.Issues, 1)
}
