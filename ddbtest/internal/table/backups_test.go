package table

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// recoverySetting is what DescribeContinuousBackups returns, with the times relative to now.
type recoverySetting struct {
	Status           string
	Earliest, Latest time.Duration
	Days             int64
}

func describedRecovery(t *testing.T, c *engine.Call) recoverySetting {
	t.Helper()
	out, err := DescribeContinuousBackups(c, &api.TableInput{TableName: "tab"})
	require.NoError(t, err)
	require.Equal(t, "ENABLED", out.ContinuousBackupsDescription.ContinuousBackupsStatus)
	d := out.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	s := recoverySetting{Status: d.PointInTimeRecoveryStatus}
	if d.RecoveryPeriodInDays != nil {
		now := *api.Seconds(c.Now())
		s.Days = *d.RecoveryPeriodInDays
		s.Earliest = time.Duration(*d.EarliestRestorableDateTime-now) * time.Second
		s.Latest = time.Duration(*d.LatestRestorableDateTime-now) * time.Second
	}
	return s
}

func setRecovery(c *engine.Call, enabled bool, days *int64) error {
	_, err := UpdateContinuousBackups(c, &api.UpdateContinuousBackupsInput{
		TableName: "tab",
		PointInTimeRecoverySpecification: &api.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: &enabled, RecoveryPeriodInDays: days,
		},
	})
	return err
}

// TestContinuousBackups turns point-in-time recovery on and off. Recovery reaches back to the time
// at which it was turned on, at most as many days as its period.
func TestContinuousBackups(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	synctest.Test(t, func(t *testing.T) {
		c := newTabCall(t, nil)
		off := recoverySetting{Status: "DISABLED"}
		require.Equal(t, off, describedRecovery(t, c))
		require.NoError(t, setRecovery(c, false, nil))
		require.Equal(t, off, describedRecovery(t, c))

		require.NoError(t, setRecovery(c, true, nil))
		require.Equal(t, recoverySetting{"ENABLED", 0, 0, 35}, describedRecovery(t, c))
		c.DB.Clock.Advance(time.Minute)
		require.Equal(t, recoverySetting{"ENABLED", -time.Minute, -time.Minute, 35}, describedRecovery(t, c))
		c.DB.Clock.Advance(time.Hour - time.Minute)
		require.Equal(t, recoverySetting{"ENABLED", -time.Hour, -5 * time.Minute, 35}, describedRecovery(t, c))

		require.NoError(t, setRecovery(c, true, api.Pointer(int64(2))))
		require.Equal(t, recoverySetting{"ENABLED", -time.Hour, -5 * time.Minute, 2}, describedRecovery(t, c))
		c.DB.Clock.Advance(3 * day)
		require.Equal(t, recoverySetting{"ENABLED", -2 * day, -5 * time.Minute, 2}, describedRecovery(t, c))

		require.NoError(t, setRecovery(c, false, nil))
		require.Equal(t, off, describedRecovery(t, c))
		require.NoError(t, setRecovery(c, true, nil))
		require.Equal(t, recoverySetting{"ENABLED", 0, 0, 35}, describedRecovery(t, c), "the history starts again")
	})
}

// TestContinuousBackupsUnavailable uses a table that does not exist, and one that is being created
// and then deleted.
func TestContinuousBackupsUnavailable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCall()
		c.Config.TableDelay = time.Minute
		_, err := DescribeContinuousBackups(c, &api.TableInput{TableName: "tab"})
		requireServiceError(t, err, "TableNotFoundException", "Table not found: tab")
		requireServiceError(t, setRecovery(c, true, nil), "TableNotFoundException", "Table not found: tab")

		_, err = Create(c, simple("tab"))
		require.NoError(t, err)
		requireServiceError(t, setRecovery(c, true, nil), "ContinuousBackupsUnavailableException",
			"Backups are being enabled for the table: tab. Please retry later")
		require.Equal(t, recoverySetting{Status: "DISABLED"}, describedRecovery(t, c))
		c.DB.Clock.Advance(time.Minute)
		require.NoError(t, setRecovery(c, true, nil))

		_, err = Delete(c, &api.TableInput{TableName: "tab"})
		require.NoError(t, err)
		c.DB.Clock.Advance(time.Minute)
		requireServiceError(t, setRecovery(c, true, nil), "TableNotFoundException", "Table not found: tab")
	})
}
