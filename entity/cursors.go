package entity

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs a key must not log its bytes
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/repo"
)

// CursorRing holds the keys that encrypt page cursors. The first key encrypts; every key decrypts.
// To rotate keys, insert a new key before the others on every server, and remove the old one after
// Expiry. If servers are replaced one by one, first append the new key on all of them, so that each
// can decrypt the cursors of the others.
type CursorRing struct {
	Keys []CursorKey
	// Expiry is how long a cursor is valid, by the schema's clock; 0: 24 hours.
	Expiry time.Duration
	// MaxLength is the maximum length of a cursor in characters; 0: 24,576, which exceeds the
	// cursor of any key of a table and an index. A cursor is about a third longer than the keys of
	// the item that it follows, plus 60 characters. The cursor of a scan holds one position per
	// segment, so its maximum is that many times as long. If a budget ends a page of a query over
	// shards, its cursor holds up to one position per shard, and one more. A page whose cursor
	// would be longer fails with ErrLimit.
	MaxLength int
}

// CursorKey is an AES-256 key: 32 random bytes that only the servers have. [ParseCursorKey] and
// [NewCursorKey] return one. No formatter prints the bytes, even if the key is a field of another
// value.
type CursorKey struct {
	// key is a function because fmt prints unexported fields without calling their methods.
	key func() [cursor.KeySize]byte
}

// NewCursorKey returns a key of the given bytes.
func NewCursorKey(key [32]byte) CursorKey {
	return CursorKey{func() [cursor.KeySize]byte { return key }}
}

const (
	defaultExpiry    = 24 * time.Hour
	defaultMaxLength = 24_576
	leastMaxLength   = 128
	leastExpiry      = time.Second
)

// ParseCursorKey parses a key: 32 bytes in base64, in the standard or URL alphabet, with or without
// padding.
//
//	head -c 32 /dev/urandom | base64
func ParseCursorKey(text string) (CursorKey, error) {
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if b, err := e.DecodeString(text); err == nil && len(b) == cursor.KeySize {
			return NewCursorKey([cursor.KeySize]byte(b)), nil
		}
	}
	return CursorKey{}, repo.Invalid("cursors", nil, trestle.NoWrite, errs.New("", "a cursor key is 32 bytes in base64", "make one with: head -c 32 /dev/urandom | base64"))
}

const hiddenKey = "cursor key"

// String hides the key.
func (CursorKey) String() string { return hiddenKey }

// GoString hides the key.
func (CursorKey) GoString() string { return hiddenKey }

// Format hides the key for every verb.
func (CursorKey) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, hiddenKey) }

// LogValue hides the key.
func (CursorKey) LogValue() slog.Value { return slog.StringValue(hiddenKey) }

// MarshalJSON hides the key.
func (CursorKey) MarshalJSON() ([]byte, error) { return json.Marshal(hiddenKey) }

// Cursors encrypts page cursors of the table with AES-256-GCM: without a key of the ring, nobody
// can read or forge a cursor, or use it for another read. Pages of queries and resumed scans need
// this option or [PlainCursors]. A table takes one of the two options, once; a ring holds several
// keys.
//
// A cursor is valid for the read that returned it, with any limit and page size. Any other read
// fails with query.ErrCursor. So does the same read after the templates or formats of its keys have
// changed. For an item collection and for a scan of all types, these are the keys of every type
// that the read may return.
func Cursors(ring CursorRing) TableOption { return cursorOption{ring: ring, sealed: true} }

// PlainCursors leaves page cursors of the table in plain text. Anyone who has a cursor can read the
// keys of an item in it, and can forge others. Use it for tools, for tests, and for services whose
// callers may see every key. A read rejects a position outside its range with query.ErrCursor
// before it sends a request, so a forged cursor reads nothing outside that range. In a scan with
// several segments only DynamoDB can detect a position in the wrong segment, so that error costs a
// request.
func PlainCursors() TableOption { return cursorOption{} }

type cursorOption struct {
	ring   CursorRing
	sealed bool
}

func (o cursorOption) table(t *Table) { t.view.Cursors = o.codec() }

// checkCursors rejects options that contradict each other, because the result would depend on their
// order.
func checkCursors(options []TableOption, problems *errs.Problems) {
	sealed, plain := 0, 0
	for _, o := range options {
		switch o, ok := o.(cursorOption); {
		case !ok:
		case o.sealed:
			sealed++
		default:
			plain++
		}
	}
	switch {
	case sealed > 0 && plain > 0:
		problems.Add("", "the options entity.Cursors and entity.PlainCursors exclude each other", "use one of them")
	case sealed > 1:
		problems.Add("", "the option entity.Cursors is used twice", "put all keys into one ring")
	case plain > 1:
		problems.Add("", "the option entity.PlainCursors is used twice", "use it once")
	}
}

// check validates the ring.
func (o cursorOption) check(problems *errs.Problems) {
	if !o.sealed {
		return
	}
	if len(o.ring.Keys) == 0 {
		problems.Add("Keys", "the ring of cursor keys is empty", "add a key of ParseCursorKey, or use entity.PlainCursors")
	}
	seen := map[[cursor.KeySize]byte]bool{{}: true}
	for _, k := range o.ring.Keys {
		if k.key == nil || seen[k.key()] {
			problems.Add("Keys", "a cursor key is zero or occurs twice", "use a different key for each element")
			continue
		}
		seen[k.key()] = true
	}
	if e := o.ring.Expiry; e < 0 || 0 < e && e < leastExpiry {
		problems.Add("Expiry", "the expiry is less than a second", "leave it 0 for 24 hours, or set at least a second")
	}
	if n := o.ring.MaxLength; n < 0 || 0 < n && n < leastMaxLength {
		problems.Add("MaxLength", "the length is less than that of any cursor", "leave it 0, or set some hundred characters")
	}
}

func (o cursorOption) codec() *cursor.Codec {
	l := cursor.Limits{Expiry: o.ring.Expiry, Longest: o.ring.MaxLength}
	if l.Expiry == 0 {
		l.Expiry = defaultExpiry
	}
	if l.Longest == 0 {
		l.Longest = defaultMaxLength
	}
	if !o.sealed {
		return cursor.Plain(l)
	}
	keys := make([][cursor.KeySize]byte, len(o.ring.Keys))
	for i, k := range o.ring.Keys {
		if k.key != nil { // check reports nil keys
			keys[i] = k.key()
		}
	}
	return cursor.Sealed(keys, l)
}
