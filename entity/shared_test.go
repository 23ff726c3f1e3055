package entity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

type cat struct {
	_    entity.Key `type:"cat" pk:"PET#<id>" sk:"PET#<id>" shared:"yes"`
	ID   string     `dynamodbav:"id"`
	Purr int        `dynamodbav:"purr"`
}

type dog struct {
	_    entity.Key `type:"dog" pk:"PET#<id>" sk:"PET#<id>" shared:"yes"`
	ID   string     `dynamodbav:"id"`
	Bark int        `dynamodbav:"bark"`
}

// If two types share their keys on purpose, a read returns an item of its own type or none.
func TestReadsReturnOnlyTheirType(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := entity.NewSchema(entity.Config{})
		cats, dogs := entity.Define[cat](s), entity.Define[dog](s)
		type tag struct {
			ID string `dynamodbav:"id"`
		}
		tags := entity.Project[tag](cats)
		_, table := open(t, e, s)
		require.NoError(t, dogs.In(table).Create(ctx, &dog{ID: "rex", Bark: 3}))

		_, err := cats.In(table).Get(ctx, cat{ID: "rex"})
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)
		_, err = tags.Get(ctx, cats.In(table), cat{ID: "rex"})
		requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)
		err = cats.In(table).Create(ctx, &cat{ID: "rex"})
		requireOutcome(t, err, trestle.ErrExists, trestle.NotApplied)
		_, ok := entity.ItemFromError[cat](err)
		require.False(t, ok, "it is a dog")
		item, err := dogs.Encode(&dog{ID: "rex"})
		require.NoError(t, err)
		_, err = cats.Decode(item)
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NoWrite)
	})
}
