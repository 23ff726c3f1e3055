package exec

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"io"
	mathrand "math/rand/v2"
	"sync"
	"time"

	"github.com/trestledb/trestle/internal/errs"
)

// Random makes the random choices of calls. A nil Random uses crypto/rand, and math/rand for
// pauses; it never fails. Another Random reads a source, for tests. Random is safe for concurrent
// use.
type Random struct {
	mu     sync.Mutex
	source io.Reader
	err    error // why the source failed
}

// NewRandom returns a Random that reads a source.
func NewRandom(source io.Reader) *Random { return &Random{source: source} }

// Read fills b with random bytes. If the source fails or ends, this read and all later ones return
// the same error, which wraps that of the source.
func (r *Random) Read(b []byte) (int, error) {
	if r == nil {
		return rand.Read(b)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return 0, r.err
	}
	n, err := io.ReadFull(r.source, b)
	if err != nil {
		r.err = sourceFailed(err)
	}
	return n, r.err
}

// sourceFailed returns no sentinel error, because the call of the program is valid.
func sourceFailed(err error) error {
	return &errs.ValidationError{Problems: []errs.Problem{{
		Reason: "the source of entity.Random failed: " + err.Error(), Hint: "use a source that does not end, such as rand.NewChaCha8", Cause: err,
	}}}
}

// textBytes is the number of random bytes in a text, 128 bits as in rand.Text.
const textBytes = 16

// Text returns 26 random letters and digits, as rand.Text does.
func (r *Random) Text() (string, error) {
	if r == nil {
		return rand.Text(), nil
	}
	b := make([]byte, textBytes)
	if _, err := r.Read(b); err != nil {
		return "", err
	}
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b), nil
}

// duration returns a random duration of at least 0 and less than the limit.
func (r *Random) duration(limit time.Duration) (time.Duration, error) {
	if r == nil {
		return mathrand.N(limit), nil //nolint:gosec // it needs no secret
	}
	b := make([]byte, 8)
	if _, err := r.Read(b); err != nil {
		return 0, err
	}
	return time.Duration(binary.BigEndian.Uint64(b) % uint64(limit)), nil
}

// Around returns a random duration between a half and three halves of d.
func (r *Random) Around(d time.Duration) (time.Duration, error) {
	if d <= 0 {
		return 0, nil
	}
	more, err := r.duration(d)
	return d/2 + more, err
}
