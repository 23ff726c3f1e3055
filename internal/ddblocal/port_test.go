package main

import (
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAClaimHoldsItsPortUntilItIsReleased(t *testing.T) {
	t.Parallel()
	var err error
	// Another process may open a port that is only claimed, for example for a connection.
	for range 20 {
		if err = claimTwice(t); err == nil {
			return
		}
	}
	require.NoError(t, err)
}

// claimTwice claims a port, opens it for the server, releases the claim, and claims the same port
// again. It returns an error if the port was in use.
func claimTwice(t *testing.T) error {
	t.Helper()
	c, err := claimPort()
	require.NoError(t, err)
	defer c.release()
	_, err = tryPort(c.number)
	require.Error(t, err, "two claims of one port")

	listener, err := net.Listen("tcp", ":"+strconv.Itoa(c.number))
	if err != nil {
		return err
	}
	require.NoError(t, listener.Close())

	c.release()
	again, err := tryPort(c.number)
	if err != nil {
		return err
	}
	again.release()
	return nil
}
