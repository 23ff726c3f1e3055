package partiql

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Access describes what a statement does, for a policy.
type Access struct {
	Action     string // such as "PartiQLSelect"
	TableName  string
	Index      string
	Partitions []value.Map // the partition keys, or the items, that the statement names
	Attributes []string    // all top-level attributes that it names
	Scan       bool        // it reads all partitions
	Specific   bool        // it reads only some attributes
	Returning  string      // ReturnValues of the corresponding write
}

// Describe describes a statement. Its error is that of a statement that cannot be parsed.
func Describe(s *store.State, text string, parameters []value.Value) (Access, error) {
	p, err := prepare(text, parameters)
	if err != nil {
		return Access{}, err
	}
	a := Access{TableName: p.table(), Attributes: p.names(), Returning: p.returning().values()}
	switch p.statement.(type) {
	case *Insert:
		a.Action = "PartiQLInsert"
	case *Update:
		a.Action = "PartiQLUpdate"
	case *Delete:
		a.Action = "PartiQLDelete"
	default:
		return p.describeRead(s, a), nil
	}
	a.Partitions = []value.Map{p.given()}
	return a, nil
}

// describeRead completes the description of a SELECT or of an EXISTS.
func (p *prepared) describeRead(s *store.State, a Access) Access {
	a.Action, a.Index, a.Specific = "PartiQLSelect", p.selection().Index, p.selection().Paths != nil
	a.Scan = p.readsAs(s) == runsAsScan
	key, ok := p.keySchema(s)
	if !ok {
		return a
	}
	if partitions, _, err := p.partitions(key, conjuncts(p.where())); err == nil {
		a.Partitions = partitions
	}
	return a
}

// names returns the top-level attributes that the statement names.
func (p *prepared) names() []string {
	var names []string
	add := func(path expression.Path) { names = append(names, path[0].Name) }
	switch s := p.statement.(type) {
	case *Insert:
		for _, m := range s.Item {
			names = append(names, m.Name)
		}
	case *Update:
		for _, c := range s.Changes {
			add(c.Target)
			eachPath(c.Source, add)
		}
	case *Delete:
	default:
		for _, path := range p.selection().Paths {
			add(path)
		}
	}
	eachPath(p.where(), add)
	return names
}

// eachPath calls f for each path in a node, which may be nil.
func eachPath(n Node, f func(expression.Path)) {
	switch n := n.(type) {
	case Path:
		f(expression.Path(n))
	case *Call:
		for _, o := range n.Operands {
			eachPath(o, f)
		}
	case *Operation:
		for _, o := range n.Operands {
			eachPath(o, f)
		}
	}
}

// keySchema returns the key of what a SELECT reads.
func (p *prepared) keySchema(s *store.State) (key store.KeySchema, ok bool) {
	t := s.Tables[api.TableName(p.table())]
	if t == nil {
		return key, false
	}
	index := p.selection().Index
	if index == "" {
		return t.Key, true
	}
	if ix := t.Index(index); ix != nil {
		return ix.Key, true
	}
	return key, false
}
