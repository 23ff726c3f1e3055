package entity_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// The stored item has keys, type and index keys from the library, and fields as their tags declare.
// The field with the role key is in keys only.
func TestStoredItem(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		a := ann()
		require.NoError(t, o.accounts.Create(t.Context(), &a))
		require.Equal(t, map[string]types.AttributeValue{
			"PK": avS("ORG#acme"), "SK": avS("ACC#ann"), "_type": avS("account"),
			"GSI1PK": avS("MAIL#ann@example.com"), "GSI1SK": avS("ACC#active#ann"),
			"id": avS("ann"), "mail": avS("ann@example.com"), "status": avS("active"),
			"home":   &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"city": avS("Bergen")}},
			"skills": &types.AttributeValueMemberL{Value: []types.AttributeValue{avS("go")}},
			"logins": avN("0"), "version": avN("1"),
			"created_at": avS("2026-08-01T12:00:00Z"), "updated_at": avS("2026-08-01T12:00:00Z"),
		}, withoutMark(o.storedAccount(t, "acme", "ann")))
		got, err := o.accounts.Get(t.Context(), annKey())
		require.NoError(t, err)
		require.Equal(t, a, got, "the key-only field is read back from the key")
	})
}

// withoutMark removes the reserved attribute.
func withoutMark(item map[string]types.AttributeValue) map[string]types.AttributeValue {
	delete(item, "_w")
	return item
}

// An empty field with omitempty is absent, and so is the index entry that needs it.
func TestEmptyValuesAreOmitted(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		a := ann()
		require.NoError(t, o.accounts.Create(ctx, &a))
		a.Mail, a.Skills, a.Home = "", nil, nil
		require.NoError(t, o.accounts.Put(ctx, &a))
		item := o.storedAccount(t, "acme", "ann")
		for _, name := range []string{"mail", "skills", "home", "GSI1PK", "GSI1SK"} {
			require.NotContains(t, item, name)
		}
		got, err := o.accounts.Update(ctx, annKey(), accMail.Set("new@example.com"), accStatus.Set("active"))
		require.NoError(t, err)
		require.Equal(t, "new@example.com", got.Mail)
		require.Equal(t, avS("MAIL#new@example.com"), o.storedAccount(t, "acme", "ann")["GSI1PK"])
		_, err = o.accounts.Update(ctx, annKey(), accMail.Remove())
		require.NoError(t, err)
		item = o.storedAccount(t, "acme", "ann")
		require.NotContains(t, item, "GSI1PK")
		require.NotContains(t, item, "GSI1SK")
	})
}

// Attributes without a field survive a read and a put in the rest field, and an update without one.
func TestUnknownAttributesSurvive(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		a := ann()
		require.NoError(t, o.accounts.Create(ctx, &a))
		item := o.storedAccount(t, "acme", "ann")
		item["later"] = &types.AttributeValueMemberL{Value: []types.AttributeValue{avN("1"), &types.AttributeValueMemberSS{Value: []string{"a"}}}}
		item["GSI9PK"] = avS("of an index that this schema does not know")
		storeRaw(t, o.client, "office", item)

		got, err := o.accounts.Get(ctx, annKey())
		require.NoError(t, err)
		require.Equal(t, map[string]types.AttributeValue{"later": item["later"], "GSI9PK": item["GSI9PK"]}, got.Rest)
		require.NoError(t, o.accounts.Put(ctx, &got))
		after := o.storedAccount(t, "acme", "ann")
		require.Equal(t, item["later"], after["later"])
		require.Equal(t, item["GSI9PK"], after["GSI9PK"])

		updated, err := o.accounts.Update(ctx, annKey(), accLogins.Set(5))
		require.NoError(t, err)
		require.Equal(t, got.Rest, updated.Rest)
	})
}

// Each verb returns what each Return value selects, if the verb accepts it.
func TestReturn(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		first := note{ID: "n", Text: "one", Count: 1}
		res, err := o.notes.Op().Put(&first).Return(trestle.AllOld).Do(ctx)
		require.NoError(t, err)
		require.False(t, res.Found)
		require.Zero(t, res.Item)

		second := note{ID: "n", Text: "two", Count: 2}
		res, err = o.notes.Op().Put(&second).Return(trestle.AllOld).Do(ctx)
		require.NoError(t, err)
		require.True(t, res.Found)
		require.Equal(t, first, res.Item)
		require.Positive(t, res.Capacity.Write)
		require.Equal(t, 1, res.Attempts)

		third := note{ID: "n", Text: "three", Count: 3}
		res, err = o.notes.Op().Overwrite(&third).Return(trestle.AllOld).Do(ctx)
		require.NoError(t, err)
		require.Equal(t, second, res.Item)

		for _, c := range []struct {
			what trestle.Return
			want note
		}{
			{trestle.AllOld, note{ID: "n", Text: "three", Count: 3}},
			{trestle.AllNew, note{ID: "n", Text: "three", Count: 6}},
			{trestle.UpdatedOld, note{Count: 7}},
			{trestle.UpdatedNew, note{Count: 10}},
		} {
			res, err = o.notes.Op().Update(note{ID: "n"}, attr.Add(noteCount, 1)).Return(c.what).Do(ctx)
			require.NoError(t, err)
			require.True(t, res.Found)
			require.Equal(t, c.want, res.Item)
			res, err = o.notes.Op().Upsert(note{ID: "n"}, attr.Add(noteCount, 1)).Return(c.what).Do(ctx)
			require.NoError(t, err)
			require.True(t, res.Found)
			c.want.Count++
			if c.what == trestle.UpdatedOld || c.what == trestle.UpdatedNew {
				res.Item.ID, res.Item.Text = "", ""
			}
			require.Equal(t, c.want, res.Item)
		}
		third.Count = 11
		res, err = o.notes.Op().Delete(note{ID: "n"}).Return(trestle.AllOld).Do(ctx)
		require.NoError(t, err)
		require.Equal(t, third, res.Item)
		res, err = o.notes.Op().Delete(note{ID: "n"}).Return(trestle.AllOld).Do(ctx)
		require.NoError(t, err)
		require.False(t, res.Found)

		for _, what := range []trestle.Return{0, trestle.AllNew, trestle.UpdatedOld, trestle.UpdatedNew, 99} {
			w := o.notes.Op()
			for _, op := range []*entity.Op[note]{w.Put(&first), w.Overwrite(&first), w.Delete(first), w.Create(&first)} {
				_, err = op.Return(what).Do(ctx)
				requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
			}
		}
		for _, op := range []*entity.Op[note]{o.notes.Op().Create(&first), o.notes.Op().Get(first)} {
			_, err = op.Return(trestle.AllOld).Do(ctx)
			require.ErrorIs(t, err, trestle.ErrInvalid)
		}
		for _, what := range []trestle.Return{0, 99} {
			_, err = o.notes.Op().Update(first, noteCount.Set(1)).Return(what).Do(ctx)
			requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
			_, err = o.notes.Op().Upsert(first, noteCount.Set(1)).Return(what).Do(ctx)
			requireOutcome(t, err, trestle.ErrInvalid, trestle.NotApplied)
		}
	})
}

// Some services return an empty item if there is none.
func TestEmptyItemIsNoItem(t *testing.T) {
	t.Parallel()
	o := newOffice(t, canned(says(200, `{"Item":{},"Attributes":{}}`)))
	_, err := o.notes.Get(t.Context(), note{ID: "n"})
	requireOutcome(t, err, trestle.ErrNotFound, trestle.NoWrite)
	res, err := o.notes.Op().Put(&note{ID: "n"}).Return(trestle.AllOld).Do(t.Context())
	require.NoError(t, err)
	require.False(t, res.Found)
}

// An item that cannot be decoded is an error. The error reports a write before it as applied.
func TestUndecodableItems(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		ctx := t.Context()
		require.NoError(t, o.notes.Put(ctx, &note{ID: "n"}))
		item := o.storedNote(t, "n")
		item["count"] = avS("many")
		storeRaw(t, o.client, "office", item)

		got, err := o.notes.Get(ctx, note{ID: "n"})
		requireNoKind(t, err, trestle.NoWrite)
		require.Zero(t, got, "nothing of the item that was decoded before the error")
		got, err = o.notes.Update(ctx, note{ID: "n"}, noteText.Set("x"))
		requireNoKind(t, err, trestle.Applied)
		require.Zero(t, got)
		require.Equal(t, avS("x"), o.storedNote(t, "n")["text"])
	})
}

func requireNoKind(t *testing.T, err error, outcome trestle.Outcome) {
	t.Helper()
	require.Error(t, err)
	for _, kind := range glossary {
		require.NotErrorIs(t, err, kind)
	}
	var e *trestle.OpError
	require.ErrorAs(t, err, &e)
	require.Equal(t, outcome, e.Outcome)
	require.NotEmpty(t, e.Key)
}
