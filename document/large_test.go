package document_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
)

func text(n int) string { return strings.Repeat("The spice must flow. ", n/21+1)[:n] }

func history(n int) (list []event) {
	for i := range n {
		list = append(list, event{At: start.Add(time.Duration(i) * time.Second), What: fmt.Sprint("event ", i), N: i})
	}
	return list
}

// A document of more than 3 MB has a text, a list and bytes. One changed part is sent alone.
func TestLargeValuesRoundTrip(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		p.Notes[0].Body.Value = noise(2_000_000, 1)
		p.Bio = &bio{Text: document.Large[string]{Value: text(1_000_000)}, Events: document.Large[[]event]{Value: history(10_000)}}
		require.NoError(t, u.profiles.Save(ctx, &p))
		own := u.own(t)
		require.Zero(t, own["intent"])
		require.Equal(t, 6+1+1, own["chunk"], "2 MB of noise, and compressed values")
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, contentOf(&p), contentOf(&got))
		require.Equal(t, p.Bio.Events.Value, got.Bio.Events.Value)

		same := got
		require.NoError(t, u.profiles.Save(ctx, &same))
		require.Equal(t, got.Info.Version, same.Info.Version, "nothing has changed")

		got.Bio.Events.Value[7].What = "changed in place"
		require.NoError(t, u.profiles.Save(ctx, &got))
		require.Equal(t, own, u.own(t))
		again, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, "changed in place", again.Bio.Events.Value[7].What)
		require.Equal(t, contentOf(&got), contentOf(&again))

		again.Bio.Events.Value, again.Notes = nil, again.Notes[1:]
		require.NoError(t, u.profiles.Save(ctx, &again))
		require.Equal(t, 1, u.own(t)["chunk"])
		last, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Empty(t, last.Bio.Events.Value)
		require.NoError(t, u.profiles.Delete(ctx, last))
		require.Empty(t, u.keys(t))
	})
}

// Other repositories keep the reference, and refuse another value.
func TestOtherRepositoriesDoNotStoreLargeValues(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx := t.Context()
		p := small("a")
		p.Bio = &bio{Title: "one", Text: document.Large[string]{Value: text(1000)}}
		require.NoError(t, u.profiles.Save(ctx, &p))
		b, err := u.bios.Strong().Get(ctx, bio{User: "a"})
		require.NoError(t, err)
		require.Empty(t, b.Text.Value)
		b.Title = "two"
		require.NoError(t, u.bios.Put(ctx, &b))
		got, err := u.profiles.Read(ctx, key("a"), document.Strong())
		require.NoError(t, err)
		require.Equal(t, "two"+text(1000), contentOf(&got).Bio)
		require.NoError(t, u.bios.Put(ctx, got.Bio), "the value is the stored one")
		got.Bio.Text.Value = "other"
		require.ErrorIs(t, u.bios.Put(ctx, got.Bio), trestle.ErrInvalid)
		require.ErrorIs(t, u.bios.Put(ctx, &bio{User: "b", Text: document.Large[string]{Value: "x"}}), trestle.ErrInvalid)
	})
}
