package main

import (
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAClaimHoldsItsPortUntilItIsReleased(t *testing.T) {
	t.Parallel()
	c, err := claimPort()
	require.NoError(t, err)
	_, err = tryPort(c.number)
	require.Error(t, err, "two claims of one port")

	listener, err := net.Listen("tcp", ":"+strconv.Itoa(c.number))
	require.NoError(t, err, "the port itself is free for the server")
	require.NoError(t, listener.Close())

	c.release()
	again, err := tryPort(c.number)
	require.NoError(t, err)
	again.release()
}
