package sdkclient

import (
	"bytes"
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// oneWrite sends each request in one write, from memory.
//
// The SDK closes the request's body as soon as it has the header of the response. A fast server
// responds before the transport reads the end of the body. The transport then finds the body
// closed, treats that as a failed write, and drops the connection with the rest of the response.
// oneWrite copies the body into a type that net/http treats as in memory. The SDK cannot close that
// copy, and the header needs no separate write.
type oneWrite struct{ client aws.HTTPClient }

// Do sends a request.
func (o oneWrite) Do(request *http.Request) (*http.Response, error) {
	if request.Body == nil || request.Body == http.NoBody {
		return o.client.Do(request)
	}
	body, err := readBody(request)
	if err != nil {
		return nil, fmt.Errorf("read the request's body: %w", err)
	}
	sent := *request // the caller may send the request again
	sent.ContentLength = int64(len(body))
	sent.Body = io.NopCloser(bytes.NewReader(body))
	sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return o.client.Do(&sent)
}

// CloseIdleConnections closes the connections that are not in use.
func (o oneWrite) CloseIdleConnections() {
	if c, ok := o.client.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func readBody(request *http.Request) ([]byte, error) {
	defer func() { _ = request.Body.Close() }()
	var b bytes.Buffer
	if n := request.ContentLength; n > 0 {
		b.Grow(int(n) + bytes.MinRead) // space for the read that returns io.EOF
	}
	_, err := b.ReadFrom(request.Body)
	return b.Bytes(), err
}
