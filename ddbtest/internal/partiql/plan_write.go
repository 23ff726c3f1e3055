package partiql

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// write is a write, or an EXISTS, whose expressions are checked. Its key depends on the table.
type write struct {
	*prepared
	kind      item.Kind
	item      value.Map // of an INSERT
	update    *expression.Update
	condition *expression.Condition // of the whole WHERE
	onFailure string
}

// compile checks the expressions of a write. It needs no table.
func (p *prepared) compile(onFailure string) (w write, err error) {
	w = write{prepared: p, onFailure: onFailure}
	switch s := p.statement.(type) {
	case *Insert:
		w.kind, w.item = item.InsertKind, p.newItem(s)
		if w.item.Depth() > value.MaxDepth {
			return w, errDepth()
		}
	case *Update:
		w.kind = item.UpdateKind
		if w.update, err = p.updateOf(s); err != nil {
			return w, err
		}
	case *Delete:
		w.kind = item.DeleteKind
	default:
		w.kind = item.CheckKind
	}
	w.condition, err = p.condition(p.where())
	return w, err
}

// newItem returns the item of an INSERT.
func (p *prepared) newItem(s *Insert) value.Map {
	attributes := make([]value.Attribute, len(s.Item))
	for i, m := range s.Item {
		attributes[i] = value.Attribute{Name: m.Name, Value: p.value(m.Value)}
	}
	return value.MapOf(attributes...)
}

// bind returns the write of an item of the table.
//
// An UPDATE and an EXISTS fail if there is no item, because the WHERE does not hold then. A DELETE
// of no item succeeds.
func (w *write) bind(t *store.Table) (item.Statement, error) {
	s := item.Statement{
		Kind: w.kind, TableName: w.table(), Item: w.item, Update: w.update, Condition: w.condition, OnFailure: w.onFailure,
	}
	if w.kind == item.InsertKind {
		return s, checkKey(w.item, t.Key)
	}
	key, only, err := w.key(w.where(), t.Key)
	if err != nil {
		return s, err
	}
	s.Item = key
	if w.kind != item.DeleteKind {
		return s, nil
	}
	if s.Condition = nil; only {
		return s, nil
	}
	missing := &Call{"attribute_not_exists", []Node{Path{{Name: t.Key.Partition[0].Name}}}}
	s.Condition, err = w.prepared.condition(&Operation{symbolOr, []Node{missing, w.where()}})
	return s, err
}

// updateOf converts the changes of an UPDATE.
func (p *prepared) updateOf(s *Update) (*expression.Update, error) {
	changes := make([]expression.NodeChange, len(s.Changes))
	for i, c := range s.Changes {
		changed, err := p.change(c)
		if err != nil {
			return nil, err
		}
		changes[i] = changed
	}
	return expression.BuildUpdate(changes)
}

// change converts a SET or a REMOVE. A SET with set_add or set_delete becomes an ADD or a DELETE.
func (p *prepared) change(c Change) (expression.NodeChange, error) {
	changed := expression.NodeChange{Action: expression.Remove, Target: c.Target}
	if c.Source == nil {
		return changed, nil
	}
	call, ok := c.Source.(*Call)
	kind, changesSet := setChanges[nameOf(call)]
	if !ok || !changesSet {
		changed.Action, changed.Source = expression.Set, p.node(c.Source)
		return changed, nil
	}
	function := strings.ToUpper(call.Name)
	if n := len(call.Operands); n != 2 {
		return changed, awserr.Validation("Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d", function, n)
	}
	if first, ok := call.Operands[0].(Path); !ok || !slices.Equal(expression.Path(first), c.Target) {
		return changed, awserr.Validation("The first argument to %s must equal the assignment value", function)
	}
	v := p.value(call.Operands[1])
	switch v.(type) {
	case value.StringSet, value.NumberSet, value.BinarySet:
	default:
		return changed, awserr.Validation("The second argument to %s must be a value with type SET", function)
	}
	changed.Action, changed.Source = kind, expression.ValueNode(v)
	return changed, nil
}

// setChanges are the functions that change a set, and the changes of expressions that they are.
var setChanges = map[string]expression.Action{"set_add": expression.Add, "set_delete": expression.Delete}

func nameOf(c *Call) string {
	if c == nil {
		return ""
	}
	return c.Name
}
