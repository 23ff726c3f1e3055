package costtest

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
)

// Get expects a read by key, of the whole item or of a projection. It takes a repository, or the
// reader of [entity.Repo.Strong].
func Get[T any](from entity.Source[T], example T) Call {
	r := readerOf(from)
	c, err := keyOf(r.Type(), example, func(a trestle.Assumption) (trestle.Explanation, error) { return r.GetOp(example).Explain(a) })
	return Call{get{c}, err}
}

func readerOf[T any](from entity.Source[T]) *entity.Reader[T] {
	switch from := from.(type) {
	case *entity.Repo[T]:
		return from.Reader()
	case *entity.Reader[T]:
		return from
	default:
		return nil
	}
}

// get is a read by key.
type get struct{ byKey }

func (g get) match(l *openRequests) error {
	x, wanted, err := g.target()
	if err != nil {
		return err
	}
	sent := l.take(1, func(r *request) bool { return r.op == getItem && r.targets[0].equal(wanted) })
	if len(sent) == 0 {
		return missing(x, 0, 1)
	}
	x, tolerance, err := g.explainSize(sent[0].targets[0].size)
	if err != nil {
		return err
	}
	return compare(x.String(), "read", x.Units.Read, tolerance, sent)
}

// explainSize returns the explanation of a read of an item of the given size. Engines charge
// differently if there is no item.
func (g get) explainSize(size int) (x trestle.Explanation, tolerance float64, err error) {
	x, err = g.explain(trestle.Assumption{Items: 1, ItemSize: max(1, size)})
	if size == 0 {
		tolerance = roundingTolerance(x)
	}
	return x, tolerance, err
}
