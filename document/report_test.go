package document_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/codec"
)

// The report of a document in memory agrees with what is stored, and with what it costs.
func TestReport(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		p := small("a")
		p.Notes[0].Body.Value = noise(500_000, 1)
		p.Bio = &bio{Text: document.Large[string]{Value: text(600_000)}}
		r, err := u.profiles.Report(&p)
		require.NoError(t, err)
		require.Len(t, r.Parts, 5)
		require.False(t, r.Possible)
		require.Greater(t, r.Whole, 1_100_000)
		notes := r.Parts[2]
		require.Equal(t, "Notes", notes.Part)
		require.Equal(t, []int{2, 2}, []int{notes.Items, notes.Chunks})
		require.InDelta(t, 500_000, notes.Size, 1000)
		require.Equal(t, 4, notes.Update, "the item and the root, twice")
		require.Contains(t, r.String(), "impossible")

		s := small("b")
		r, err = u.profiles.Report(&s)
		require.NoError(t, err)
		require.True(t, r.Possible)
		require.Equal(t, 1, r.WholeUpdate)
		_, err = u.profiles.Report(nil)
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.Empty(t, u.keys(t), "nothing is sent")
	})
}

// The sizes are those of the stored items, and the read costs what was reported, before and after
// the document is stored.
func TestReportAgreesWithTheTable(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, u *users) {
		ctx, table := t.Context(), "users"
		p := small("a")
		p.Logins = nil // their guards are no part
		p.Notes[0].Body.Value = noise(500_000, 1)
		p.Bio = &bio{Text: document.Large[string]{Value: text(600_000)}}
		before, err := u.profiles.Report(&p)
		require.NoError(t, err)
		require.NoError(t, u.profiles.Save(ctx, &p))
		out, err := u.client.Scan(ctx, &dynamodb.ScanInput{TableName: &table})
		require.NoError(t, err)
		stored := 0
		for _, item := range out.Items {
			stored += codec.ItemSize(item)
		}
		u.meter.take()
		read, err := u.profiles.Read(ctx, key("a"))
		require.NoError(t, err)
		_, _, units := u.meter.take()
		after, err := u.profiles.Report(&read)
		require.NoError(t, err)
		for _, r := range []document.Report{before, after} {
			sum := 0
			for _, part := range r.Parts {
				sum += part.Size
			}
			require.InDelta(t, stored, sum, 100)
			require.InDelta(t, units.Read, r.Read, 0)
		}
	})
}
