package main

import (
	"fmt"
	"net"
	"strconv"
)

// claim is a TCP port that was free on all interfaces. Other processes of this command do not use
// it until it is released.
type claim struct {
	number int
	mark   net.PacketConn
}

// claimPort returns a free port. DynamoDB Local takes its port number as an argument and opens the
// port a second later. The claim therefore holds the UDP port of the same number as a mark. The
// system releases the mark when the process ends.
func claimPort() (claim, error) {
	var err error
	for range 100 {
		var c claim
		if c, err = tryPort(0); err == nil {
			return c, nil
		}
	}
	return claim{}, fmt.Errorf("find a free port: %w", err)
}

// tryPort claims a port. The system chooses the port if number is 0.
func tryPort(number int) (claim, error) {
	probe, err := net.Listen("tcp", ":"+strconv.Itoa(number))
	if err != nil {
		return claim{}, err
	}
	defer func() { _ = probe.Close() }()
	number = probe.Addr().(*net.TCPAddr).Port
	mark, err := net.ListenPacket("udp", "127.0.0.1:"+strconv.Itoa(number))
	if err != nil {
		return claim{}, err
	}
	return claim{number: number, mark: mark}, nil
}

func (c claim) release() { _ = c.mark.Close() }
