package serverbench

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
)

// conn is a connection to a server, which is reused for all requests of a client.
type conn struct {
	net.Conn
	reader *bufio.Reader
}

func dial(address string) (*conn, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return &conn{c, bufio.NewReaderSize(c, 64<<10)}, nil
}

// do sends a request and returns the length of the reply's body.
func (c *conn) do(r *request) (length int64, err error) {
	if _, err := c.Write(r.bytes); err != nil {
		return 0, fmt.Errorf("send: %w", err)
	}
	reply, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return 0, fmt.Errorf("read the reply: %w", err)
	}
	defer reply.Body.Close()
	length, err = io.Copy(io.Discard, reply.Body)
	switch {
	case err != nil:
		return 0, fmt.Errorf("read the reply's body: %w", err)
	case reply.StatusCode != http.StatusOK:
		return 0, fmt.Errorf("%s: status %d", r.operation, reply.StatusCode)
	case length < r.least:
		return 0, fmt.Errorf("%s: a reply of %d bytes, want %d", r.operation, length, r.least)
	}
	return length, nil
}
