package table

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

func ttl(attribute string, enabled bool) *api.UpdateTimeToLiveInput {
	return &api.UpdateTimeToLiveInput{TableName: "tab", TimeToLiveSpecification: &api.TimeToLiveSpecification{AttributeName: attribute, Enabled: &enabled}}
}

// TestTimeToLive enables, disables and enables the setting, and checks its rules.
func TestTimeToLive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newTabCall(t, nil)
		setting := func() *api.TimeToLiveDescription {
			out, err := DescribeTimeToLive(c, &api.TableInput{TableName: "tab"})
			require.NoError(t, err)
			return out.TimeToLiveDescription
		}
		set := func(attribute string, enabled bool) error {
			in := ttl(attribute, enabled)
			out, err := UpdateTimeToLive(c, in)
			if err == nil {
				require.Equal(t, in.TimeToLiveSpecification, out.TimeToLiveSpecification)
			}
			return err
		}
		require.Equal(t, &api.TimeToLiveDescription{TimeToLiveStatus: "DISABLED"}, setting())
		requireServiceError(t, set("x", false), awserr.CodeValidation, "TimeToLive is already disabled")

		require.NoError(t, set("x", true))
		require.Equal(t, &api.TimeToLiveDescription{AttributeName: "x", TimeToLiveStatus: "ENABLED"}, setting())
		requireServiceError(t, set("x", true), awserr.CodeValidation, "TimeToLive is already enabled")
		requireServiceError(t, set("y", true), awserr.CodeValidation, "TimeToLive is active on a different AttributeName: current AttributeName is x")
		requireServiceError(t, set("y", false), awserr.CodeValidation, "TimeToLive is active on a different AttributeName: current AttributeName is x")
		requireServiceError(t, set("x", false), awserr.CodeValidation, "Time to live has been modified multiple times within a fixed interval")

		c.DB.Clock.Advance(time.Hour)
		require.NoError(t, set("x", false))
		require.Equal(t, &api.TimeToLiveDescription{TimeToLiveStatus: "DISABLED"}, setting())
		requireServiceError(t, set("y", true), awserr.CodeValidation, "Time to live has been modified multiple times within a fixed interval")
		c.DB.Clock.Advance(time.Hour)
		require.NoError(t, set("y", true))
	})
}

// TestTimeToLiveOfMissingTable uses a table that does not exist.
func TestTimeToLiveOfMissingTable(t *testing.T) {
	t.Parallel()
	_, err := UpdateTimeToLive(newCall(), ttl("x", true))
	requireServiceError(t, err, awserr.CodeResourceNotFound, "Requested resource not found: Table: tab not found")
	_, err = DescribeTimeToLive(newCall(), &api.TableInput{TableName: "tab"})
	requireServiceError(t, err, awserr.CodeResourceNotFound, "Requested resource not found: Table: tab not found")
}
