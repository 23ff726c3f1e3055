package transport

import (
	"hash/crc32"
	"net/http"
	"strconv"
)

const (
	contentType         = "application/x-amz-json-1.0"
	headerTarget        = "X-Amz-Target"
	headerAttempt       = "Amz-Sdk-Request"
	headerAuthorization = "Authorization"
	headerInvocation    = "Amz-Sdk-Invocation-Id"
	headerChecksum      = "X-Amz-Crc32"
	headerID            = "X-Amzn-Requestid"
)

// fields holds the values of the header fields of a reply.
type fields [4]string

// header sets the reply's header fields, with values that are stored in the array.
func (r *Reply) header(h http.Header, values *fields) {
	id, checksum, length := r.texts()
	*values = fields{contentType, id, checksum, length}
	h["Content-Type"] = values[0:1:1]
	h[headerID] = values[1:2:2]
	h[headerChecksum] = values[2:3:3]
	h["Content-Length"] = values[3:4:4]
	if r.encoding != "" {
		h[headerContentEncoding] = []string{r.encoding}
	}
}

// requestID is the form of the request IDs of DynamoDB. The number of the request replaces its
// last digits.
const requestID = "DDBTEST000000000000000000000000000000000000000000000"

// texts returns the request ID, the CRC32 checksum of the body, which the service computes after
// compression, and the length of the body.
func (r *Reply) texts() (id, checksum, length string) {
	sum := crc32.ChecksumIEEE(r.Body)
	if r.WrongChecksum {
		sum = ^sum
	}
	var all [len(requestID) + 10 + 20]byte
	copy(all[:], requestID)
	for i, n := len(requestID)-1, r.Number; n > 0; i, n = i-1, n/10 {
		all[i] = byte('0' + n%10)
	}
	text := strconv.AppendUint(all[:len(requestID)], uint64(sum), 10)
	end := len(text)
	whole := string(strconv.AppendInt(text, int64(len(r.Body)), 10)) // one allocation
	return whole[:len(requestID)], whole[len(requestID):end], whole[end:]
}
