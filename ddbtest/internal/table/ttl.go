package table

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// ttlPause is the minimum interval between two changes of the time-to-live setting.
const ttlPause = time.Hour

// UpdateTimeToLive implements UpdateTimeToLive.
func UpdateTimeToLive(c *engine.Call, in *api.UpdateTimeToLiveInput) (*api.UpdateTimeToLiveOutput, error) {
	spec := in.TimeToLiveSpecification
	err := change(c, func(s *store.State) error {
		t, err := findIdle(s, in.TableName)
		if err != nil {
			return err
		}
		if err := checkTTL(t, spec, s.Now); err != nil {
			return err
		}
		attribute := ""
		if *spec.Enabled {
			attribute = spec.AttributeName
		}
		s.SetTTL(t, attribute)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &api.UpdateTimeToLiveOutput{TimeToLiveSpecification: spec}, nil
}

// checkTTL rejects a change that the current setting does not allow.
func checkTTL(t *store.Table, spec *api.TimeToLiveSpecification, now time.Time) error {
	on := t.TTL.Attribute != ""
	switch {
	case !on && !*spec.Enabled:
		return awserr.Validation("TimeToLive is already disabled")
	case on && t.TTL.Attribute != spec.AttributeName:
		return awserr.Validation("TimeToLive is active on a different AttributeName: current AttributeName is %s", t.TTL.Attribute)
	case on && *spec.Enabled:
		return awserr.Validation("TimeToLive is already enabled")
	case !t.TTL.ChangedAt.IsZero() && now.Sub(t.TTL.ChangedAt) < ttlPause:
		return awserr.Validation("Time to live has been modified multiple times within a fixed interval")
	default:
		return nil
	}
}

// DescribeTimeToLive implements DescribeTimeToLive.
func DescribeTimeToLive(c *engine.Call, in *api.TableInput) (*api.DescribeTimeToLiveOutput, error) {
	d := &api.TimeToLiveDescription{TimeToLiveStatus: "DISABLED"}
	err := c.DB.View(func(s *store.State) error {
		t, err := find(s, c.Now(), in.TableName)
		if err != nil {
			return err
		}
		if t.TTL.Attribute != "" {
			d.TimeToLiveStatus, d.AttributeName = "ENABLED", t.TTL.Attribute
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &api.DescribeTimeToLiveOutput{TimeToLiveDescription: d}, nil
}
