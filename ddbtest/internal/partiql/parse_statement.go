package partiql

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
)

func (p *parser) statement() (Statement, error) {
	switch {
	case p.skipWord("SELECT"):
		return asStatement(p.selection())
	case p.skipWord("INSERT"):
		return asStatement(p.insert())
	case p.skipWord("UPDATE"):
		return asStatement(p.update())
	case p.skipWord("FROM"):
		return asStatement(p.updateFrom())
	case p.skipWord("DELETE"):
		return asStatement(p.deletion())
	case p.skipWord("EXISTS"):
		return asStatement(p.exists())
	default:
		return nil, malformed(expectedStatement)
	}
}

// asStatement converts s to the interface. It returns nil if there is an error.
func asStatement[S Statement](s S, err error) (Statement, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// selection parses a SELECT after its keyword.
func (p *parser) selection() (s *Select, err error) {
	s = &Select{}
	if !p.skip("*") {
		if s.Paths, err = p.paths(); err != nil {
			return nil, err
		}
	}
	if !p.skipWord("FROM") {
		return nil, malformed(expectedFrom)
	}
	if s.Table, s.Index, err = p.source(); err != nil {
		return nil, err
	}
	if s.Where, err = p.where(); err != nil {
		return nil, err
	}
	if s.Order, err = p.order(); err != nil {
		return nil, err
	}
	return s, p.rejectLimit()
}

// rejectLimit rejects a LIMIT clause: the limit is a parameter of the request.
func (p *parser) rejectLimit() error {
	if !p.skipWord("LIMIT") {
		return nil
	}
	switch p.next().kind {
	case numberToken, textToken, quotedToken:
		line, column, length := p.position()
		return awserr.Validation("Unsupported clause: LIMIT at %d:%d:%d", line, column, length)
	default:
		return p.unexpected()
	}
}

// paths parses the paths that a SELECT returns.
func (p *parser) paths() ([]expression.Path, error) {
	var paths []expression.Path
	var names []string
	err := p.list(func() error {
		path, err := p.path()
		if err != nil {
			return err
		}
		name := path.LeafName()
		if slices.Contains(names, name) {
			return awserr.Validation("Duplicate identifiers in select clause: %s", name)
		}
		paths, names = append(paths, path), append(names, name)
		return p.rejectAlias()
	})
	return paths, err
}

// rejectAlias rejects an alias of an attribute or of a table.
func (p *parser) rejectAlias() error {
	if p.isWord("AS") || p.isName() {
		return awserr.Validation("Aliasing is not supported")
	}
	return nil
}

// source parses the name of a table, and that of an index if there is one.
func (p *parser) source() (table, index string, err error) {
	if table, err = p.name(); err != nil {
		return "", "", err
	}
	if p.skip(".") {
		if index, err = p.name(); err != nil {
			return "", "", err
		}
	}
	if p.isSymbol(".") {
		return "", "", awserr.Validation("A path may contain at most 2 components in the FROM clause")
	}
	return table, index, p.rejectAlias()
}

// table parses the name of a table to write to.
func (p *parser) table() (string, error) {
	table, index, err := p.source()
	if err == nil && index != "" {
		err = awserr.Validation("This operation is not supported on an index")
	}
	return table, err
}

// where parses the WHERE clause, if there is one.
func (p *parser) where() (Node, error) {
	if !p.skipWord("WHERE") {
		return nil, nil
	}
	return p.condition()
}

// order parses the ORDER BY clause, if there is one.
func (p *parser) order() ([]Order, error) {
	if !p.skipWord("ORDER") {
		return nil, nil
	}
	if err := p.expectWords("BY"); err != nil {
		return nil, err
	}
	var keys []Order
	err := p.list(func() error {
		name, err := p.name()
		o := Order{Key: name, Descending: p.skipWord("DESC")}
		if !o.Descending {
			p.skipWord("ASC")
		}
		keys = append(keys, o)
		return err
	})
	return keys, err
}

// insert parses an INSERT after its keyword.
func (p *parser) insert() (s *Insert, err error) {
	s = &Insert{}
	if err := p.expectWords("INTO"); err != nil {
		return nil, err
	}
	if s.Table, err = p.name(); err != nil {
		return nil, err
	}
	switch {
	case p.isSymbol("."):
		return nil, awserr.Validation("FROM clause may only contain a single table name in data manipulation statements")
	case p.isName(): // an alias
		return nil, malformed(unexpectedRemainder)
	case !p.skipWord("VALUE"):
		p.skip("(") // a list of columns, as in SQL
		return nil, p.unexpected()
	}
	err = p.members(func(name string) error {
		v, err := p.member()
		s.Item = append(s.Item, Member{name, v})
		return err
	})
	if err == nil && p.isWord("RETURNING") {
		err = awserr.Validation("RETURNING is not supported in INSERT")
	}
	return s, err
}

// member parses a value of the item to insert: a parameter or a literal.
func (p *parser) member() (Node, error) {
	if p.isSymbol("?") {
		return p.parameter(), nil
	}
	v, err := p.value(1)
	if err != nil {
		return nil, err
	}
	return Literal{v}, nil
}

// update parses an UPDATE after its keyword.
func (p *parser) update() (s *Update, err error) {
	s = &Update{}
	if s.Table, err = p.table(); err != nil {
		return nil, err
	}
	if err := p.changes(s); err != nil {
		return nil, err
	}
	if s.Where, err = p.where(); err != nil {
		return nil, err
	}
	s.Returning, err = p.returning()
	return s, err
}

// updateFrom parses an UPDATE that begins with FROM, after that keyword: its condition comes before
// its changes.
func (p *parser) updateFrom() (s *Update, err error) {
	s = &Update{}
	if s.Table, err = p.table(); err != nil {
		return nil, err
	}
	if s.Where, err = p.where(); err != nil {
		return nil, err
	}
	if err := p.changes(s); err != nil {
		return nil, err
	}
	s.Returning, err = p.returning()
	return s, err
}

// changes parses the changes of an update, at least one.
func (p *parser) changes(s *Update) (err error) {
	for err == nil {
		switch {
		case p.skipWord("SET"):
			err = p.list(func() error { return p.assignment(s) })
		case p.skipWord("REMOVE"):
			var target expression.Path
			target, err = p.path()
			s.Changes = append(s.Changes, Change{Target: target})
		case len(s.Changes) == 0:
			return malformed(expectedStatement)
		default:
			return nil
		}
	}
	return err
}

// assignment parses the target and the source of a SET.
func (p *parser) assignment(s *Update) error {
	target, err := p.path()
	if err != nil {
		return err
	}
	if err := p.expect("="); err != nil {
		return err
	}
	source, err := p.sum()
	s.Changes = append(s.Changes, Change{target, source})
	return err
}

// deletion parses a DELETE after its keyword.
func (p *parser) deletion() (s *Delete, err error) {
	s = &Delete{}
	if !p.skipWord("FROM") {
		return nil, malformed(expectedFromDelete)
	}
	if s.Table, err = p.table(); err != nil {
		return nil, err
	}
	if s.Where, err = p.where(); err != nil {
		return nil, err
	}
	if s.Returning, err = p.returning(); err == nil && s.Returning != "" && s.Returning != AllOld {
		err = awserr.Validation("Invalid returning clause: RETURNING %s *. Only RETURNING ALL OLD * is allowed in DELETE statements.", s.Returning)
	}
	return s, err
}

// returning parses the RETURNING clause, if there is one.
func (p *parser) returning() (Returning, error) {
	if !p.skipWord("RETURNING") {
		return "", nil
	}
	all, modified := p.skipWord("ALL"), p.skipWord("MODIFIED")
	old, anew := p.skipWord("OLD"), p.skipWord("NEW")
	if all == modified || old == anew {
		return "", p.unexpected()
	}
	if !p.skip("*") {
		return "", awserr.Validation("Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause")
	}
	switch {
	case all && old:
		return AllOld, nil
	case all:
		return AllNew, nil
	case old:
		return ModifiedOld, nil
	default:
		return ModifiedNew, nil
	}
}

// exists parses an EXISTS after its keyword.
func (p *parser) exists() (*Exists, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	if err := p.expectWords("SELECT"); err != nil {
		return nil, err
	}
	s, err := p.selection()
	if err != nil {
		return nil, err
	}
	return &Exists{s}, p.expect(")")
}
