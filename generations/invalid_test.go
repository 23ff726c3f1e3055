package generations_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/engines"
)

// Entities that cannot be pointer items or parts.
type (
	behindPointer struct {
		_  entity.Key `type:"behind" pk:"B#<id>" sk:"B"`
		ID string     `dynamodbav:"id"`
		*generations.Pointer
	}
	base struct{ generations.Pointer }
	// Base is an embedded struct with a Pointer.
	Base struct{ base }
	deep struct {
		_  entity.Key `type:"deep" pk:"P#<id>" sk:"P"`
		ID string     `dynamodbav:"id"`
		*Base
	}
	shadowing struct {
		_       entity.Key `type:"shadowing" pk:"S#<id>" sk:"S"`
		ID      string     `dynamodbav:"id"`
		Current string     `dynamodbav:"generation"`
		generations.Pointer
	}
	nested struct {
		_                   entity.Key `type:"nested" pk:"N#<id>" sk:"N"`
		ID                  string     `dynamodbav:"id"`
		generations.Pointer `dynamodbav:"pointer"`
	}
	expiring struct {
		_       entity.Key `type:"expiring" pk:"E#<id>" sk:"E"`
		ID      string     `dynamodbav:"id"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
		generations.Pointer
	}
	versionedPart struct {
		_          entity.Key `type:"vpart" pk:"V#<owner>#<generation>" sk:"<n:06>"`
		Owner      string     `dynamodbav:"owner"`
		Generation string     `dynamodbav:"generation"`
		N          int        `dynamodbav:"n"`
		Version    int64      `dynamodbav:"version" entity:"version"`
	}
	uniquePart struct {
		_          entity.Key `type:"upart" pk:"U#<owner>#<generation>" sk:"<n:06>"`
		Owner      string     `dynamodbav:"owner"`
		Generation string     `dynamodbav:"generation"`
		N          int        `dynamodbav:"n"`
		Name       string     `dynamodbav:"name" entity:"unique"`
		Expires    time.Time  `dynamodbav:"expires" entity:"ttl"`
	}
	countedPart struct {
		_          entity.Key     `type:"cpart" pk:"C#<owner>#<generation>" sk:"<n:06>"`
		_          entity.Counted `in:"counter" as:"parts" pk:"COUNTER#<owner>" sk:"COUNTER"`
		Owner      string         `dynamodbav:"owner"`
		Generation string         `dynamodbav:"generation"`
		N          int            `dynamodbav:"n"`
	}
	counter struct {
		_     entity.Key `type:"counter" pk:"COUNTER#<owner>" sk:"COUNTER"`
		Owner string     `dynamodbav:"owner"`
		Parts int        `dynamodbav:"parts"`
	}
	// samePartition has the generation in the sort key.
	samePartition struct {
		_          entity.Key `type:"same" pk:"SAME#<owner>" sk:"<generation>#<n:06>"`
		Owner      string     `dynamodbav:"owner"`
		Generation string     `dynamodbav:"generation"`
		N          int        `dynamodbav:"n"`
	}
)

// caller has the methods of a Repo.
type caller interface {
	call(ctx context.Context) map[string]error
}

type calls[D, P any] struct {
	r     *generations.Repo[D, P]
	d     D
	parts []P
}

func (c calls[D, P]) call(ctx context.Context) map[string]error {
	_, replace := c.r.Replace(ctx, c.d, generations.Slice(c.parts))
	_, upsert := c.r.Upsert(ctx, c.d, generations.Slice(c.parts))
	return map[string]error{"replace": replace, "upsert": upsert}
}

// Mistakes are reported before anything is written.
func TestMistakes(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	l := newLibrary(t, db.Client())
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, TTL: "expires"})
	behinds, deeps, shadowings := entity.Define[behindPointer](s), entity.Define[deep](s), entity.Define[shadowing](s)
	entity.Define[counter](s)
	expirings, nesteds := entity.Define[expiring](s), entity.Define[nested](s)
	counteds := entity.Define[countedPart](s)
	versioned, uniques, sames := entity.Define[versionedPart](s), entity.Define[uniquePart](s), entity.Define[samePartition](s)
	table, err := s.Open(l.client, "library")
	require.NoError(t, err)
	closed := entity.Define[document](entity.NewSchema(entity.Config{})).In(nil)

	type texts = calls[document, paragraph]
	a, one, c := document{ID: "a"}, []paragraph{{N: 1}}, generations.Config{}
	place := func(p *paragraph, d document, generation string) { p.Owner, p.Generation = "D"+d.ID, generation }
	with := func(place func(*paragraph, document, string)) texts {
		return texts{generations.New(l.documents, l.paragraphs, place, c), a, one}
	}
	for name, c := range map[string]caller{
		"zero Repo":             texts{&generations.Repo[document, paragraph]{}, a, one},
		"nil Repo":              texts{nil, a, one},
		"nil repositories":      texts{generations.New[document, paragraph](nil, nil, place, c), a, one},
		"no table":              texts{generations.New(closed, l.paragraphs, place, c), a, one},
		"no function":           with(nil),
		"no key":                texts{l.texts, document{}, one},
		"generation is not set": with(func(p *paragraph, d document, _ string) { p.Owner, p.Generation = d.ID, "0" }),
		"owner is not set":      with(func(p *paragraph, _ document, generation string) { p.Generation = generation }),
		"Pointer behind a pointer": calls[behindPointer, paragraph]{
			generations.New(behinds.In(table), l.paragraphs, func(*paragraph, behindPointer, string) {}, c), behindPointer{ID: "a"}, one,
		},
		"Pointer far behind a pointer": calls[deep, paragraph]{
			generations.New(deeps.In(table), l.paragraphs, func(*paragraph, deep, string) {}, c), deep{ID: "a"}, one,
		},
		"Pointer in a map": calls[nested, paragraph]{
			generations.New(nesteds.In(table), l.paragraphs, func(*paragraph, nested, string) {}, c), nested{ID: "a"}, one,
		},
		"Pointer that expires": calls[expiring, paragraph]{
			generations.New(expirings.In(table), l.paragraphs, func(*paragraph, expiring, string) {}, c), expiring{ID: "a"}, one,
		},
		"versioned parts": calls[document, versionedPart]{
			generations.New(l.documents, versioned.In(table), func(*versionedPart, document, string) {}, c), a, []versionedPart{{}},
		},
		"unique parts": calls[document, uniquePart]{
			generations.New(l.documents, uniques.In(table), func(*uniquePart, document, string) {}, c), a, []uniquePart{{}},
		},
		"counted parts": calls[document, countedPart]{
			generations.New(l.documents, counteds.In(table), func(*countedPart, document, string) {}, c), a, []countedPart{{}},
		},
		"generation in the sort key": calls[document, samePartition]{
			generations.New(l.documents, sames.In(table), func(p *samePartition, d document, generation string) {
				p.Owner, p.Generation = d.ID, generation
			}, c), a, []samePartition{{}},
		},
	} {
		for method, err := range c.call(t.Context()) {
			require.ErrorIs(t, err, trestle.ErrInvalid, "%s: %s", name, method)
			require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), "%s: %s", name, method)
		}
		require.Empty(t, db.Dump("library"), name)
	}
	shadowed := generations.New(shadowings.In(table), l.paragraphs, func(p *paragraph, _ shadowing, generation string) {
		p.Owner, p.Generation = "a", generation
	}, c)
	_, err = shadowed.Upsert(t.Context(), shadowing{ID: "a"}, generations.Slice(one))
	require.ErrorIs(t, err, trestle.ErrInvalid, "another field has the attribute of the current generation")
	_, err = l.texts.Replace(t.Context(), a, nil)
	require.ErrorIs(t, err, trestle.ErrInvalid)
	_, err = l.texts.Upsert(t.Context(), a, generations.Slice(one), title.Set("a"), title.Set("b"))
	require.ErrorIs(t, err, trestle.ErrInvalid)
	_, err = l.texts.Upsert(t.Context(), a, generations.Slice(one), attr.Named[document]("generation").Set("x"))
	require.ErrorIs(t, err, trestle.ErrInvalid)
	require.Empty(t, db.Dump("library"))
}

// Mistakes in later parts leave the old parts.
func TestMistakesInParts(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	l, ctx := newLibrary(t, db.Client()), t.Context()
	old, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 40))
	require.NoError(t, err)
	copies := generations.New(l.documents, l.paragraphs, func(p *paragraph, d document, generation string) {
		if p.Generation = generation; p.Owner == "" {
			p.Owner = "D" + d.ID
		}
	}, generations.Config{})
	huge := make([]byte, 500_000)
	for name, c := range map[string]struct {
		r     *generations.Repo[document, paragraph]
		parts []paragraph
		is    error
	}{
		"same sort key":            {l.texts, append(paragraphsOf("new", 40), paragraph{N: 7}), trestle.ErrInvalid},
		"invalid key":              {l.texts, append(paragraphsOf("new", 40), paragraph{N: -1}), trestle.ErrInvalid},
		"part of another document": {copies, append(paragraphsOf("new", 40), paragraph{N: 50, Owner: "Db"}), trestle.ErrInvalid},
		"no parts":                 {l.texts, nil, trestle.ErrInvalid},
		"too large":                {l.texts, append(paragraphsOf("new", 40), paragraph{N: 50, Text: string(huge)}), trestle.ErrLimit},
	} {
		_, err := c.r.Replace(ctx, old, generations.Slice(c.parts))
		require.ErrorIs(t, err, c.is, name)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), name)
		require.Equal(t, map[string]int{old.Generation: 40}, l.stored(t, "Da"), name)
	}
}

// A Replace that takes longer than the WriteTime fails.
func TestWriteTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, ctx := newLibrary(t, ddbtest.Start(t).Client()), t.Context()
		old, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 40))
		require.NoError(t, err)
		_, err = l.texts.Replace(ctx, old, func(yield func(paragraph, error) bool) {
			edition("new", 40)(yield)
			<-time.After(2 * writeTime)
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		require.Equal(t, map[string]int{old.Generation: 40}, l.stored(t, "Da"))
	})
}

// If the sequence yields an error, nothing is replaced and no part stays.
func TestSequenceThatFails(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		old, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 3))
		require.NoError(t, err)
		errSource := errors.New("the source failed")
		for _, n := range []int{0, 40} {
			_, err = l.texts.Replace(ctx, old, func(yield func(paragraph, error) bool) {
				for _, p := range paragraphsOf("new", n) {
					yield(p, nil)
				}
				yield(paragraph{N: 1000}, errSource)
			})
			require.ErrorIs(t, err, errSource)
			require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
			require.Equal(t, map[string]int{old.Generation: 3}, l.stored(t, "Da"))
		}
	})
}

// A context that has ended before the first part is the reason of the error.
func TestSequenceThatIsCanceled(t *testing.T) {
	t.Parallel()
	l := newLibrary(t, ddbtest.Start(t).Client())
	_, err := l.texts.Upsert(t.Context(), document{ID: "a"}, edition("old", 3))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = l.texts.Replace(ctx, document{ID: "a"}, func(func(paragraph, error) bool) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
}

// The function that places parts may use the fields of the key of the pointer item only.
func TestPlaceWithOtherFields(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		texts := generations.New(l.documents, l.paragraphs, func(p *paragraph, d document, generation string) {
			p.Owner, p.Generation = "D"+d.ID+d.Title, generation
		}, generations.Config{})
		_, err := texts.Upsert(ctx, document{ID: "a"}, edition("old", 3), title.Set("T"))
		require.NoError(t, err)
		_, err = texts.Replace(ctx, document{ID: "a"}, edition("new", 3))
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	})
}
