package expression

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Update is the changes of an update expression. It is safe for concurrent use.
type Update struct {
	changes  []*change // in the order of the expression
	targets  []Path    // of the changes
	sources  []Path    // paths that the changes read, the last one of the expression first
	root     pathTree[int]
	mismatch error // replaces the error of a value of the wrong type, unless it is nil
}

// ParseUpdate parses an update.
func ParseUpdate(text string, p *Placeholders) (*Update, error) {
	s := sourceText{"UpdateExpression", text}
	sections, err := parseUpdate(s)
	if err != nil {
		return nil, err
	}
	for _, section := range sections {
		if err := s.checkActions(section.actions); err != nil {
			return nil, err
		}
	}
	if err := s.checkOnce(sections); err != nil {
		return nil, err
	}
	var actions []action
	for _, section := range sections {
		actions = append(actions, section.actions...)
	}
	return newUpdate(s, actions, p)
}

// newUpdate binds the actions of an update.
func newUpdate(s sourceText, actions []action, p *Placeholders) (*Update, error) {
	b, u := newBinder(s, p), &Update{}
	if err := b.bindUpdate(actions, u); err != nil {
		return nil, err
	}
	return u, b.finish()
}

// checkActions checks the names in actions.
func (s sourceText) checkActions(actions []action) error {
	v := nameChecker{s, updateGrammar}
	for _, a := range actions {
		if err := v.check(a.target, operandPosition); err != nil {
			return err
		}
		if err := v.check(a.source, assignmentPosition); err != nil {
			return err
		}
	}
	return nil
}

var sectionNames = map[tokenKind]string{setToken: "SET", removeToken: "REMOVE", addToken: "ADD", deleteToken: "DELETE"}

// checkOnce rejects a section that appears twice.
func (s sourceText) checkOnce(sections []section) error {
	var seen []tokenKind
	for _, section := range sections {
		if slices.Contains(seen, section.keyword) {
			return s.errorf(`The "%s" section can only be used once in an update expression;`, sectionNames[section.keyword])
		}
		seen = append(seen, section.keyword)
	}
	return nil
}

// bindUpdate binds the targets, then the sources, both from the last to the first. That is the
// service's order, which is visible if there are two errors.
func (b *binder) bindUpdate(actions []action, u *Update) error {
	u.targets = make([]Path, len(actions))
	u.changes = make([]*change, len(actions))
	for i, a := range slices.Backward(actions) {
		path, err := b.bindPath(a.target)
		if err != nil {
			return err
		}
		if err := u.root.add(b.sourceText, path, i); err != nil {
			return err
		}
		u.targets[i] = path
	}
	for i, a := range slices.Backward(actions) {
		c, err := b.bindChange(a, u.targets[i])
		if err != nil {
			return err
		}
		u.changes[i] = c
	}
	u.sources = b.paths[len(actions):]
	return nil
}

// Paths returns the paths that the update changes, in the order of the expression. The caller must
// not change them.
func (u *Update) Paths() []Path { return u.targets }

// SourcePaths returns the paths that the update reads, in no particular order. The caller must not
// change them.
func (u *Update) SourcePaths() []Path { return u.sources }

// Creates reports whether the update creates an item that does not exist. An update with only
// REMOVE and DELETE actions does not.
func (u *Update) Creates() bool {
	return slices.ContainsFunc(u.changes, func(c *change) bool { return c.keyword == setToken || c.keyword == addToken })
}

// Updated returns the values at the updated paths, or nil if there are none. For the item before
// the update, that is UPDATED_OLD, and for the item after it UPDATED_NEW.
func (u *Update) Updated(item value.Map) value.Map { return pickFromMap(&u.root, item) }
