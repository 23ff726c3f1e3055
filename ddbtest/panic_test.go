package ddbtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/service"
)

// TestEngineDefect checks that a defect is reported and returned as InternalServerError. A late
// request, which has no client, is safe, too.
func TestEngineDefect(t *testing.T) {
	t.Parallel()
	db := New(Options{Record: true})
	// it has no function to run
	x := &exchange{db: db, request: new(service.Request)}
	x.hold(fault.Held{Delivery: fault.AfterRetry})
	reply := x.Reply(t.Context())
	require.Equal(t, 500, reply.Status)
	require.Contains(t, string(reply.Body), "InternalServerError")
	require.ErrorContains(t, db.Err(), "nil pointer")

	before := db.Err().Error()
	db.DeliverLate()
	require.Equal(t, before, db.Err().Error(), "the same panic is reported once")
	require.NoError(t, db.WriteRecording(t.Output()), "the lock is free")
}
