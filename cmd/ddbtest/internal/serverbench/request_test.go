package serverbench

import (
	"fmt"
	"strings"
)

// request is a request as it is sent.
type request struct {
	operation string
	bytes     []byte
	least     int64 // the smallest length of a right reply's body
}

// newRequest returns a request with the header that an SDK sends. The signature is no right one:
// servers for tests do not check it.
func newRequest(address, operation string, least int64, body string) *request {
	header := []string{
		"POST / HTTP/1.1",
		"Host: " + address,
		"User-Agent: aws-sdk-go-v2/1.47.7 ua/2.1 os/linux lang/go#1.26.8 md/GOOS#linux md/GOARCH#amd64 api/dynamodb#1.73.1",
		fmt.Sprintf("Content-Length: %d", len(body)),
		"Accept-Encoding: identity",
		"Amz-Sdk-Invocation-Id: 6c1c1a52-4a3b-4d6f-9f4e-6a2dfb3f7c11",
		"Amz-Sdk-Request: attempt=1; max=3",
		"Authorization: AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, " +
			"SignedHeaders=accept-encoding;amz-sdk-invocation-id;content-length;content-type;host;x-amz-date;x-amz-target, " +
			"Signature=" + strings.Repeat("0123456789abcdef", 4),
		"Content-Type: application/x-amz-json-1.0",
		"X-Amz-Date: 20260101T000000Z",
		"X-Amz-Target: DynamoDB_20120810." + operation,
	}
	return &request{operation, []byte(strings.Join(header, "\r\n") + "\r\n\r\n" + body), least}
}
