package table

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

const (
	// longestRecovery is the default period of point-in-time recovery in days.
	longestRecovery = 35
	// backupDelay is how far the latest restorable time lies in the past.
	backupDelay = 5 * time.Minute
)

// UpdateContinuousBackups implements UpdateContinuousBackups. It does not affect the items.
func UpdateContinuousBackups(c *engine.Call, in *api.UpdateContinuousBackupsInput) (*api.ContinuousBackupsOutput, error) {
	spec := in.PointInTimeRecoverySpecification
	out := &api.ContinuousBackupsOutput{}
	err := change(c, func(s *store.State) error {
		t, err := findForBackups(s, s.Now, in.TableName)
		if err != nil {
			return err
		}
		if status(t, s.Now) == creating {
			return awserr.New("ContinuousBackupsUnavailableException",
				"Backups are being enabled for the table: %s. Please retry later", t.Name)
		}
		t.Recovery = newRecovery(t.Recovery, spec, s.Now)
		out.ContinuousBackupsDescription = describeBackups(t.Recovery, s.Now)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// newRecovery returns the setting after a change. Recovery that is on keeps its earliest time.
func newRecovery(old store.Recovery, spec *api.PointInTimeRecoverySpecification, now time.Time) store.Recovery {
	if !*spec.PointInTimeRecoveryEnabled {
		return store.Recovery{}
	}
	r := store.Recovery{Since: now, Days: longestRecovery}
	if old.Days > 0 {
		r = old
	}
	if spec.RecoveryPeriodInDays != nil {
		r.Days = *spec.RecoveryPeriodInDays
	}
	return r
}

// DescribeContinuousBackups implements DescribeContinuousBackups.
func DescribeContinuousBackups(c *engine.Call, in *api.TableInput) (*api.ContinuousBackupsOutput, error) {
	out := &api.ContinuousBackupsOutput{}
	err := c.DB.View(func(s *store.State) error {
		now := c.Now()
		t, err := findForBackups(s, now, in.TableName)
		if err != nil {
			return err
		}
		out.ContinuousBackupsDescription = describeBackups(t.Recovery, now)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// findForBackups returns the table. Operations of backups have an error of their own for a missing
// table.
func findForBackups(s *store.State, now time.Time, nameOrARN string) (*store.Table, error) {
	t := s.Lookup(nameOrARN, now)
	if t == nil {
		return nil, awserr.New("TableNotFoundException", "Table not found: %s", api.TableName(nameOrARN))
	}
	return t, nil
}

// describeBackups describes the backups of a table, which are on for every table.
func describeBackups(r store.Recovery, now time.Time) *api.ContinuousBackupsDescription {
	recovery := &api.PointInTimeRecoveryDescription{PointInTimeRecoveryStatus: "DISABLED"}
	if r.Days > 0 {
		earliest := latest(r.Since, now.AddDate(0, 0, -int(r.Days)))
		recovery = &api.PointInTimeRecoveryDescription{
			PointInTimeRecoveryStatus:  "ENABLED",
			EarliestRestorableDateTime: api.Seconds(earliest),
			LatestRestorableDateTime:   api.Seconds(latest(earliest, now.Add(-backupDelay))),
			RecoveryPeriodInDays:       api.Pointer(r.Days),
		}
	}
	return &api.ContinuousBackupsDescription{ContinuousBackupsStatus: "ENABLED", PointInTimeRecoveryDescription: recovery}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
