package write

import (
	"errors"
	"maps"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// store is the table of the model. It maps the text of a key to an item.
type store struct {
	schema *core.Schema
	strict bool // reject unused placeholders, as DynamoDB does
	items  map[string]op.Item
}

func newStore(s *core.Schema, strict bool) *store {
	return &store{schema: s, strict: strict, items: map[string]op.Item{}}
}

func attributeText(av types.AttributeValue) string {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return "S" + v.Value
	case *types.AttributeValueMemberN:
		return "N" + v.Value
	case *types.AttributeValueMemberB:
		return "B" + string(v.Value)
	default:
		return ""
	}
}

func (s *store) keyText(key op.Item) string {
	at := attributeText(key[s.schema.Partition.Name])
	if s.schema.Sort.Name != "" {
		at += "\xff" + attributeText(key[s.schema.Sort.Name])
	}
	return at
}

// keyOf returns the key of the item of an action.
func (s *store) keyOf(a *op.Action) op.Item {
	if a.Verb != op.Put {
		return a.Key
	}
	key := op.Item{s.schema.Partition.Name: a.Item.Map()[s.schema.Partition.Name]}
	if s.schema.Sort.Name != "" {
		key[s.schema.Sort.Name] = a.Item.Map()[s.schema.Sort.Name]
	}
	return key
}

func (s *store) get(key op.Item) op.Item { return s.items[s.keyText(key)] }

// read applies a read with a projection.
func (s *store) read(a *op.Action) (item op.Item, err error) {
	old := s.get(a.Key)
	if old == nil {
		return nil, nil
	}
	item = op.Item{}
	e := evaluator{action: a, used: map[string]bool{}}
	err = catch(func() {
		for _, mark := range strings.Split(a.Projection, ", ") {
			e.tokens = []string{mark}
			if e.used[mark] {
				e.fail("%s is projected twice", mark)
			}
			name := e.name()
			if av := old[name]; av != nil {
				item[name] = av
			}
		}
		if s.strict {
			e.unused()
		}
	})
	return item, err
}

// result is the result of an action.
type result struct {
	key           op.Item
	before, after op.Item // nil: no item
	failed        bool    // the condition failed
}

// apply applies a write. The error is *requestError, or *itemError if the change does not fit the
// item.
func (s *store) apply(a *op.Action) (result, error) {
	key := s.keyOf(a)
	fx := result{key: key, before: s.get(key)}
	fx.after = fx.before
	e := evaluator{action: a, item: fx.before, used: map[string]bool{}}
	err := catch(func() {
		fx.failed = !e.condition()
		next := e.itemAfter(key)
		if s.strict {
			e.unused()
		}
		if fx.failed {
			return
		}
		if next != nil {
			s.checkKeys(&e, next)
		}
		fx.after = next
	})
	var misfit *itemError
	if errors.As(err, &misfit) && fx.failed {
		err = nil // DynamoDB checks the condition first
	}
	if err != nil || fx.failed {
		return fx, err
	}
	if fx.after == nil {
		delete(s.items, s.keyText(key))
	} else {
		s.items[s.keyText(key)] = fx.after
	}
	return fx, nil
}

// itemAfter returns the item after the action.
func (e *evaluator) itemAfter(key op.Item) op.Item {
	switch e.action.Verb {
	case op.Put:
		return maps.Clone(e.action.Item.Map())
	case op.Delete:
		return nil
	case op.Check:
		return e.item
	default:
		if e.item == nil {
			e.item = maps.Clone(key)
		}
		return e.update()
	}
}

// checkKeys rejects empty key attributes and those of the wrong type, as DynamoDB does.
func (s *store) checkKeys(e *evaluator, item op.Item) {
	for _, a := range s.schema.KeyAttributes() {
		av, ok := item[a.Name]
		if !ok {
			continue
		}
		text := attributeText(av)
		if text == "" || text[:1] != string(a.Type) || len(text) == 1 {
			e.fail("%s is empty or of another type", a.Name)
		}
	}
	for name, av := range item {
		if av == nil {
			e.fail("%s is nil", name)
		}
	}
}
