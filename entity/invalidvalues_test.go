package entity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

type label struct {
	_     entity.Key `type:"label" pk:"L#<id>" sk:"L"`
	ID    string     `dynamodbav:"id"`
	Title string     `dynamodbav:"title"`
	Tags  []string   `dynamodbav:"tags,omitempty,stringset"`
}

// Sets with duplicate values and text that is not UTF-8 are rejected before sending. The service
// rejects the sets, and the SDK stores a different text.
func TestInvalidSetsAndTextsAreNotSent(t *testing.T) {
	t.Parallel()
	title, tags := attr.Must(func(e *label) *string { return &e.Title }), attr.Must(func(e *label) *[]string { return &e.Tags })
	const bad = "a\xff"
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{})
		all := entity.Define[label](s)
		client, table := open(t, e, s)
		labels := all.In(table)
		require.NoError(t, labels.Put(t.Context(), &label{ID: "1", Title: "old", Tags: []string{"a", "b"}}))
		key, err := all.KeyOf(label{ID: "1"})
		require.NoError(t, err)
		before := stored(t, client, "things", key)
		for _, l := range []label{{ID: "1", Title: bad}, {ID: "1", Tags: []string{"a", "a"}}, {ID: "1", Tags: []string{bad}}} {
			requireOutcome(t, labels.Put(t.Context(), &l), trestle.ErrInvalid, trestle.NotApplied)
		}
		for _, c := range []attr.Change[label]{
			title.Set(bad), tags.Set([]string{"c", "c"}), attr.SetAdd(tags, "c", "c"), attr.SetDelete(tags, "a", "a"), attr.SetAdd(tags, bad),
		} {
			_, err := labels.Update(t.Context(), label{ID: "1"}, c)
			requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
		}
		_, err = labels.Update(t.Context(), label{ID: "1"}, title.Set("new"), attr.If(title.Eq(bad)))
		requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
		require.Equal(t, before, stored(t, client, "things", key))
	})
}
