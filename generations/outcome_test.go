package generations_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

// noted is a document with a note. Another program stores it with another type.
type noted struct {
	_    entity.Key `type:"document" pk:"DOC#<id>" sk:"DOC"`
	ID   string     `dynamodbav:"id"`
	Note int        `dynamodbav:"note,omitempty"`
	generations.Pointer
}

type otherNoted struct {
	_    entity.Key `type:"document" pk:"DOC#<id>" sk:"DOC"`
	ID   string     `dynamodbav:"id"`
	Note string     `dynamodbav:"note,omitempty"`
}

var otherNote = attr.Must(func(d *otherNoted) *string { return &d.Note })

// An update that makes a generation current can be applied and fail, because its item cannot be
// decoded. The outcome is Applied.
func TestItemThatCannotBeDecoded(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		config := entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: l.clock.now}
		schema, other := entity.NewSchema(config), entity.NewSchema(config)
		documents, paragraphs, others := entity.Define[noted](schema), entity.Define[paragraph](schema), entity.Define[otherNoted](other)
		table, err := schema.Open(l.client, "library")
		require.NoError(t, err)
		otherTable, err := other.Open(l.client, "library")
		require.NoError(t, err)
		place := func(p *paragraph, d noted, generation string) { p.Owner, p.Generation = "D"+d.ID, generation }
		texts := generations.New(documents.In(table), paragraphs.In(table), place, generations.Config{WriteTime: writeTime})

		old, err := texts.Upsert(ctx, noted{ID: "a"}, edition("old", 3))
		require.NoError(t, err)
		_, err = texts.Replace(ctx, noted{ID: "a"}, func(yield func(paragraph, error) bool) {
			_, err := others.In(otherTable).Update(ctx, otherNoted{ID: "a"}, otherNote.Set("text"))
			require.NoError(t, err)
			edition("new", 4)(yield)
		})
		require.Error(t, err)
		require.Equal(t, trestle.Applied, trestle.OutcomeOf(err))
		now, err := l.documents.Strong().Get(ctx, document{ID: "a"})
		require.NoError(t, err)
		require.NotEqual(t, old.Generation, now.Generation)
	})
}

// If another writer makes a generation current while the old one is deleted, Replace returns its
// own item, so that the next Replace with it fails.
func TestReplacedDuringTheDeletion(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 3))
		require.NoError(t, err)
		l.clock.advance(2 * writeTime) // the old one is no longer listed, so there is a third update
		updates := 0
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "UpdateItem" {
				if updates++; updates == 3 {
					_, err := l.texts.Replace(ctx, document{ID: "a"}, edition("other", 4))
					require.NoError(t, err)
				}
			}
			return testfaults.Pass
		}}
		mine, err := l.process(t, w, 1).texts.Replace(ctx, d, edition("mine", 5))
		require.NoError(t, err)
		_, err = l.texts.Replace(ctx, mine, edition("again", 2))
		require.ErrorIs(t, err, trestle.ErrStale)
	})
}

// If the replies to the update and to the next read are lost, a later read shows that the
// generation is current.
func TestLostRepliesOfTheUpdateAndOfTheRead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		d, err := l.texts.Upsert(ctx, document{ID: "a"}, edition("old", 3))
		require.NoError(t, err)
		updates, gets := 0, 0
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			switch operation {
			case "UpdateItem":
				if updates++; updates == 2 {
					return testfaults.Lose
				}
			case "GetItem":
				if gets++; gets == 2 {
					return testfaults.Drop
				}
			}
			return testfaults.Pass
		}}
		now, err := l.process(t, w, 1).texts.Replace(ctx, d, edition("new", 3))
		require.NoError(t, err)
		require.NotEqual(t, d.Generation, now.Generation)
		require.Equal(t, map[string]int{now.Generation: 3}, l.stored(t, "Da"))
	})
}

// A very long WriteTime is no limit.
func TestVeryLongWriteTime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		l, ctx := newLibrary(t, e.Client(t)), t.Context()
		place := func(p *paragraph, d document, generation string) { p.Owner, p.Generation = "D"+d.ID, generation }
		texts := generations.New(l.documents, l.paragraphs, place, generations.Config{WriteTime: math.MaxInt64})
		_, err := texts.Upsert(ctx, document{ID: "a"}, edition("old", 3))
		require.NoError(t, err)
		_, err = texts.Replace(ctx, document{ID: "a"}, func(yield func(paragraph, error) bool) {
			_, err := texts.Clean(ctx, document{ID: "a"})
			require.NoError(t, err)
			edition("new", 5)(yield)
		})
		require.NoError(t, err)
	})
}
