package tenancy

import (
	"fmt"
	"io"

	"github.com/trestledb/trestle/internal/core"
)

// ReplyError reports that a reply has an item or a key of another tenant. Its text has no key.
type ReplyError struct {
	Key item // of the item, as far as the reply has it; nil: unknown. It is never printed.
}

// withheld returns the error of an item.
func (g *Guard) withheld(row core.Row) error {
	if key := g.schema.KeyOf(row); len(key) > 0 {
		return &ReplyError{Key: key}
	}
	return &ReplyError{}
}

// Error returns the same text for all items.
func (*ReplyError) Error() string { return errReply.Error() }

// Unwrap returns an error of the kind errs.Tenant.
func (*ReplyError) Unwrap() error { return errReply }

// Format prints the text of Error for every verb, because %#v of the field would print the key.
func (e *ReplyError) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, e.Error()) }

// MarshalText returns the text of Error.
func (e *ReplyError) MarshalText() ([]byte, error) { return []byte(e.Error()), nil }
