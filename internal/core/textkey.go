package core

import (
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/keyspace"
)

// textKey is a key attribute of literals and text fields, such as ORD#<customer>#<id>. Its text can
// be compared with the fields without rendering them.
type textKey struct {
	literals []string // one more than fields
	fields   []*codec.Field
}

// textKeyOf returns the textKey of a key attribute, or nil if the attribute is of another form.
func textKeyOf(a *KeyAttr) *textKey {
	space := a.Template.Space()
	if space.Mode != keyspace.Escaped {
		return nil
	}
	for i, f := range a.Members {
		if !f.IsKeyText() || a.Template.Format(i) != "" {
			return nil
		}
	}
	return &textKey{literals: space.Literals, fields: a.Members}
}

// matches reports whether the fields of the entity at that address render to a stored text. It
// returns false if a field needs escapes: the caller must then render the key.
func (k *textKey) matches(stored string, at codec.Ptr) bool {
	for i, f := range k.fields {
		text := f.KeyText(at)
		if text == "" || keyspace.NeedsEscape(text) {
			return false
		}
		var found bool
		if stored, found = strings.CutPrefix(stored, k.literals[i]); !found {
			return false
		}
		if stored, found = strings.CutPrefix(stored, text); !found {
			return false
		}
	}
	return stored == k.literals[len(k.fields)]
}
