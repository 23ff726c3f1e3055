// Package cursor converts the position of a read to an opaque token and back. A sealed token is
// encrypted, so that nobody can read or forge it. Plain tokens must be requested explicitly.
//
// A token is bound to the read that it was made for. Opening it requires the same [Binding];
// otherwise the error is [errs.Cursor]. The error never contains the reason.
package cursor

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// Codec encodes and decodes tokens.
type Codec struct {
	limits Limits
	ring   []sealer // the first key encrypts; without keys, tokens are plain
}

type sealer struct {
	id   [idSize]byte
	aead cipher.AEAD
}

// KeySize is the size of a key of AES-256.
const KeySize = 32

const (
	idSize = 4

	sealed = 1 // first byte of a token
	plain  = 2

	plainSum = 16 // bytes of the checksum in a plain token
)

// Limits are the limits of a Codec.
type Limits struct {
	Expiry  time.Duration // how long a token is valid
	Longest int           // maximum length of a token in characters
}

// Sealed returns a Codec that encrypts with the first key and decrypts with any of them.
func Sealed(keys [][KeySize]byte, l Limits) *Codec {
	c := Plain(l)
	for _, k := range keys {
		block, _ := aes.NewCipher(k[:]) // fails for other sizes only
		aead, _ := cipher.NewGCM(block) // fails for other block sizes only
		c.ring = append(c.ring, sealer{id: idOf(k), aead: aead})
	}
	return c
}

// Plain returns a Codec without encryption. Anybody can read and create its tokens.
func Plain(l Limits) *Codec { return &Codec{limits: l} }

// Wide returns the Codec for tokens with the given number of positions. Its maximum length is that
// many times as large.
func (c *Codec) Wide(positions int) *Codec {
	wide := *c
	wide.limits.Longest = min(c.limits.Longest, math.MaxInt/positions) * positions
	return &wide
}

// idOf returns an id that does not reveal the key.
func idOf(key [KeySize]byte) (id [idSize]byte) {
	sum := sha256.Sum256(append([]byte("trestle cursor key"), key[:]...))
	copy(id[:], sum[:])
	return id
}

var encoding = base64.RawURLEncoding.Strict()

// Seal returns the token for the positions of a read. The attributes are the key attributes of a
// position, in order. random is the source of the nonce of an encrypted token. The error has the
// kind errs.Limit if the token is too long; or it is that of the source.
func (c *Codec) Seal(b Binding, attributes []core.Attribute, positions []Position, now time.Time, random io.Reader) (string, error) {
	inside, ok := encodePositions(now, positions, attributes)
	if !ok {
		return "", errs.New("", "the item's key differs from the schema's", "compare the table with maintain.Check")
	}
	raw, err := c.close(inside, b.sum(), random)
	if err != nil {
		return "", err
	}
	token := encoding.EncodeToString(raw)
	if len(token) > c.limits.Longest {
		return "", tooLong
	}
	return token, nil
}

var tooLong = &errs.ValidationError{Kind: errs.Limit, Problems: []errs.Problem{{
	Reason: "the cursor is longer than its maximum", Hint: "raise the maximum length of cursors, or make keys shorter", Limit: true,
}}}

func (c *Codec) close(inside, bound []byte, random io.Reader) ([]byte, error) {
	if len(c.ring) == 0 {
		return slices.Concat([]byte{plain}, checksum(inside, bound), inside), nil
	}
	s := c.ring[0]
	nonce := make([]byte, s.aead.NonceSize())
	if _, err := io.ReadFull(random, nonce); err != nil {
		return nil, err
	}
	head := slices.Concat([]byte{sealed}, s.id[:], nonce)
	return s.aead.Seal(head, nonce, inside, bound), nil
}

// checksum detects changes of a plain token and its use for another read. It does not prevent
// forgery.
func checksum(inside, bound []byte) []byte {
	sum := sha256.Sum256(append(bytes.Clone(bound), inside...))
	return sum[:plainSum]
}

// Open returns the positions of a token. Every error is errs.Cursor, without a reason.
func (c *Codec) Open(b Binding, attributes []core.Attribute, token string, now time.Time) ([]Position, error) {
	// The decoder of encoding/base64 ignores line breaks.
	if len(token) > c.limits.Longest || strings.ContainsAny(token, "\r\n") {
		return nil, errs.Cursor
	}
	raw, err := encoding.DecodeString(token)
	if err != nil {
		return nil, errs.Cursor
	}
	inside, ok := c.open(raw, b.sum())
	positions, at, valid := parsePositions(inside, attributes)
	if !ok || !valid || now.Sub(at) > c.limits.Expiry {
		return nil, errs.Cursor
	}
	return positions, nil
}

func (c *Codec) open(raw, bound []byte) ([]byte, bool) {
	if len(c.ring) == 0 {
		if len(raw) < 1+plainSum || raw[0] != plain || !bytes.Equal(raw[1:1+plainSum], checksum(raw[1+plainSum:], bound)) {
			return nil, false
		}
		return raw[1+plainSum:], true
	}
	if len(raw) < 1+idSize || raw[0] != sealed {
		return nil, false
	}
	id, body := raw[1:1+idSize], raw[1+idSize:]
	for _, s := range c.ring {
		if n := s.aead.NonceSize(); bytes.Equal(id, s.id[:]) && len(body) >= n {
			inside, err := s.aead.Open(nil, body[:n], body[n:], bound)
			return inside, err == nil
		}
	}
	return nil, false
}
