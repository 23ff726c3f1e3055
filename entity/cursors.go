package entity

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs a key must not log its bytes
	"time"

	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/fail"
)

// CursorRing is what the cursors of pages are sealed with. The first key seals, and each of them opens: to rotate, put a new key in front on
// every server, and take the old one away when Expiry has passed. (Where servers are replaced one by one, add the new key at the end first.)
type CursorRing struct {
	Keys []CursorKey
	// Expiry is how long a cursor is good, by the schema's clock; 0: 24 hours.
	Expiry time.Duration
	// MaxLength is the longest that a cursor may be, in characters; 0: 24,576, more than any key of a table and an index takes. A cursor is
	// about a third longer than the keys of the item that it stands behind, and 60 characters more; that of a scan holds a place for each of its
	// segments, and may be as many times as long. A page whose cursor would be longer fails with ErrLimit.
	MaxLength int
}

// CursorKey is a key of AES-256: 32 bytes of chance that only the servers know. [ParseCursorKey] and [NewCursorKey] make it. No formatter prints it,
// wherever it stands.
type CursorKey struct {
	key func() [cursor.KeySize]byte // a function, because fmt looks into fields that nobody exports, and calls no method there
}

// NewCursorKey makes a key of its bytes.
func NewCursorKey(key [32]byte) CursorKey {
	return CursorKey{func() [cursor.KeySize]byte { return key }}
}

const (
	defaultExpiry    = 24 * time.Hour
	defaultMaxLength = 24_576
	leastMaxLength   = 128
	leastExpiry      = time.Second
)

// ParseCursorKey reads a key as secret stores keep them: 32 bytes in base64, of either alphabet, with or without padding.
//
//	head -c 32 /dev/urandom | base64
func ParseCursorKey(text string) (CursorKey, error) {
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if b, err := e.DecodeString(text); err == nil && len(b) == cursor.KeySize {
			return NewCursorKey([cursor.KeySize]byte(b)), nil
		}
	}
	return CursorKey{}, refused("cursors", nil, fail.Refuse("", "a cursor key is 32 bytes in base64", "make one with: head -c 32 /dev/urandom | base64"))
}

const hiddenKey = "cursor key"

// String does not tell the key.
func (CursorKey) String() string { return hiddenKey }

// GoString does not tell the key.
func (CursorKey) GoString() string { return hiddenKey }

// Format does not tell the key, whatever the verb.
func (CursorKey) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, hiddenKey) }

// LogValue does not tell the key.
func (CursorKey) LogValue() slog.Value { return slog.StringValue(hiddenKey) }

// MarshalJSON does not tell the key.
func (CursorKey) MarshalJSON() ([]byte, error) { return json.Marshal(hiddenKey) }

// Cursors seals the cursors of the table's pages with AES-256-GCM: nobody can read one, forge one,
// or use it for another read than it was made for. Pages of queries and resumed scans need this, or
// [PlainCursors]. A table is opened with one of the two, once: a ring has several keys.
//
// A cursor serves the read that gave it, whatever its limit and page size. It is query.ErrCursor
// for any other read, and for a program that renders the keys of that read by other templates or
// formats. Of an item collection, and of a scan of all types, these are the keys of every type that
// it may bring.
func Cursors(ring CursorRing) TableOption { return cursorOption{ring: ring, sealed: true} }

// PlainCursors leaves the cursors of the table's pages in plain text. Whoever has one can read the
// keys of an item in it, and make others: it is for tools and tests, and for services whose callers
// may see every key. A position that is outside of the read is query.ErrCursor before anything is
// sent, so a cursor that was made up reads nothing but what the read itself does. A scan in
// segments is the exception: only the service knows which segment holds a position, so a position
// in the wrong one costs a request, and is query.ErrCursor then.
func PlainCursors() TableOption { return cursorOption{} }

type cursorOption struct {
	ring   CursorRing
	sealed bool
}

func (o cursorOption) table(t *Table) { t.view.cursors = o.codec() }

// checkCursors refuses options that contradict each other: which of them counts would be a matter
// of their order.
func checkCursors(options []TableOption, problems *fail.Problems) {
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
		problems.Add("", "the table is given entity.Cursors and entity.PlainCursors", "give one of them")
	case sealed > 1:
		problems.Add("", "entity.Cursors is given twice", "put all keys into one ring")
	case plain > 1:
		problems.Add("", "entity.PlainCursors is given twice", "give it once")
	}
}

// check says what is wrong with the ring.
func (o cursorOption) check(problems *fail.Problems) {
	if !o.sealed {
		return
	}
	if len(o.ring.Keys) == 0 {
		problems.Add("Keys", "the ring of cursor keys is empty", "make a key with ParseCursorKey, or ask for entity.PlainCursors by name")
	}
	seen := map[[cursor.KeySize]byte]bool{{}: true}
	for _, k := range o.ring.Keys {
		if k.key == nil || seen[k.key()] {
			problems.Add("Keys", "a cursor key is zero, or there twice", "give each place a key of its own")
			continue
		}
		seen[k.key()] = true
	}
	if e := o.ring.Expiry; e < 0 || 0 < e && e < leastExpiry {
		problems.Add("Expiry", "cursors expire before they can be used", "leave it 0 for 24 hours, or give them a second at least")
	}
	if n := o.ring.MaxLength; n < 0 || 0 < n && n < leastMaxLength {
		problems.Add("MaxLength", "no cursor is that short", "leave it 0, or allow some hundred characters")
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
		if k.key != nil { // check says so
			keys[i] = k.key()
		}
	}
	return cursor.Sealed(keys, l)
}
