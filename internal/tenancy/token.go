package tenancy

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
)

// tokenBytes is the number of bytes of a hash that fit into a token of 36 characters.
const tokenBytes = 27

// Token returns the idempotency token of a request for a token of the caller. Those of two tenants
// differ, so tenants can use the same texts. An empty token stays empty, and a nil Guard changes
// none.
func (g *Guard) Token(token string) string {
	if g == nil || token == "" {
		return token
	}
	h := sha256.New()
	_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(g.tenant)))) // it never fails
	_, _ = h.Write([]byte(g.tenant + token))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:tokenBytes])
}
