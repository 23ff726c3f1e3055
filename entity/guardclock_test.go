package entity_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
)

// scans is a client that calls a function after each page of a scan was read.
type scans struct {
	*dynamodb.Client
	after func()
}

func (c scans) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	out, err := c.Client.Scan(ctx, in, options...)
	c.after()
	return out, err
}

// A value expires while the table is scanned, and another item takes it: that is no problem, for a
// check and for a repair.
func TestValueExpiresDuringTheCheck(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, run := range map[string]func(*club) error{
			"check": func(c *club) error { return testchecks.Guards(t.Context(), c.table) },
			"repair": func(c *club) error {
				report, err := maintain.RepairGuards(t.Context(), c.table, maintain.Run{})
				require.Zero(t, report.Created+report.Corrected+report.Deleted)
				return err
			},
		} {
			s, client := newClubSchema(), e.Client(t)
			c := s.open(t, client, client)
			require.NoError(t, c.table.Create(t.Context()))
			c.furnish(t)
			var once sync.Once // pages are read at the same time
			changed := false
			err := run(s.open(t, client, scans{client, func() {
				once.Do(func() {
					changed = true
					c.clock.seconds.Add(2 * 3600)
					require.NoError(t, c.guests.Create(t.Context(), &guest{ID: "new", Phone: 1, Expires: c.clock.now().Add(time.Hour)}))
				})
			}}))
			require.NoError(t, err, name)
			require.True(t, changed)
		}
	})
}

// The clock of a program that takes over an expired value is ahead of the clock of the program that
// checks. A minute is no problem. The control is a difference of more: the value is held twice.
func TestGuardsWithClocksThatDiffer(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		c.furnish(t)
		other := newClubSchema().open(t, c.client, c.client)
		other.clock.seconds.Store(c.clock.seconds.Load() + 3600) // "gus" has just expired
		require.NoError(t, other.guests.Create(t.Context(), &guest{ID: "new", Phone: 1, Expires: other.clock.now().Add(time.Hour)}))
		c.clock.seconds.Add(3600 - 60)
		require.NoError(t, testchecks.Guards(t.Context(), c.table))
		c.clock.seconds.Add(-1)
		var found *maintain.Error
		require.ErrorAs(t, testchecks.Guards(t.Context(), c.table), &found)
		require.Len(t, found.Problems, 1)
		require.Equal(t, maintain.ValueTwice, found.Problems[0].Kind)
	})
}
