package costtest

import (
	"fmt"
	"slices"
)

// batchWrite is a write of many items. Its cost is the sum of the costs of the items.
type batchWrite []write

func (b batchWrite) match(l *openRequests) error {
	var open batchWrite
	var places []target
	for _, w := range b {
		x, at, err := w.target()
		switch {
		case err != nil:
			return err
		case x.Transaction || x.Condition != "" || w.op == updateItem:
			if err := w.match(l); err != nil {
				return err
			}
		default:
			open, places = append(open, w), append(places, at)
		}
	}
	if len(open) == 0 {
		return nil
	}
	what := fmt.Sprintf("a batch write of %d items", len(open))
	units, slack := 0.0, 0.0
	var wrong error
	sent := l.take(len(l.list), func(r *request) bool {
		found := make([]int, len(r.actions)) // the write of each action
		for i, action := range r.actions {
			found[i] = slices.IndexFunc(places, action.targets[0].equal)
			if found[i] < 0 || open[found[i]].op != action.op {
				return false
			}
		}
		if r.op != batchWriteItem {
			return false
		}
		for i, action := range r.actions {
			x, err := open[found[i]].explain(action.assumed())
			if err != nil {
				wrong = err
			}
			more, less := action.expected(x)
			units, slack = units+more, slack+less
			places[found[i]] = target{} // it is written once
		}
		return true
	})
	missing := len(slices.DeleteFunc(places, target.none))
	switch {
	case wrong != nil:
		return wrong
	case missing > 0:
		return fmt.Errorf("not sent: %s, of which %d were not written", what, missing)
	}
	return compare(what, "write", units-slack/2, slack/2, sent)
}
