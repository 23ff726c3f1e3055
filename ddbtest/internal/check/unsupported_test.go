package check_test

import (
	"testing"

	"github.com/trestledb/trestle/ddbtest/internal/check"
)

func TestUnsupportedMembers(t *testing.T) {
	t.Parallel()
	requireMessage(t, "", check.Unsupported(nil))
	requireMessage(t, "ddbtest does not support the parameters {ReplicaUpdates, ResourcePolicy}", check.Unsupported([]string{"ReplicaUpdates", "ResourcePolicy"}))
}
