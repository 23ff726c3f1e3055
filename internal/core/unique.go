package core

import "strings"

// Unique is a value that no two items of an entity type may have. An item of the library, the
// guard, holds the value of each item.
type Unique struct {
	Name string   // the fields, for errors; or the declared name
	Key  *KeyAttr // the template of the value and its members; no item has this attribute
}

// Text returns the template of the value as it was declared. That of Key starts with a literal, so
// that a single placeholder is escaped too.
func (u *Unique) Text() string {
	_, text, _ := strings.Cut(u.Key.Template.String(), "#")
	return text
}
