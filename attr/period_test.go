package attr_test

import (
	"testing"
	"time"
	_ "time/tzdata" // the machine may have no time zones

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
)

// A day is complete wherever clocks change, also at midnight. Consecutive days neither overlap nor
// leave a gap, and an instant is in the day of its calendar date.
func TestDaysAcrossClockChanges(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"America/Santiago", "America/Havana", "Atlantic/Azores", "Asia/Beirut", "Pacific/Apia", "Europe/Berlin", "America/Sao_Paulo", "UTC"} {
		loc, err := time.LoadLocation(name)
		require.NoError(t, err)
		for day := time.Date(2010, time.January, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2027; day = day.AddDate(0, 0, 1) {
			p := attr.Day(day.Date()).In(loc)
			next := attr.Day(day.AddDate(0, 0, 1).Date()).In(loc)
			require.Equal(t, p.End, next.Start, "%s %s", name, day)
			if !p.Start.Before(p.End) {
				require.Equal(t, "Pacific/Apia", name) // Apia skipped a day once
				continue
			}
			for _, at := range []time.Time{p.Start, p.End.Add(-time.Nanosecond)} {
				require.Equal(t, day.Format(time.DateOnly), at.In(loc).Format(time.DateOnly), "%s %s", name, at)
			}
		}
	}
}
