package costtest

import "github.com/trestledb/trestle"

// Explained returns the call with a changed explanation.
func (c Call) Explained(change func(trestle.Explanation) trestle.Explanation) Call {
	changed := func(x explain) explain {
		return func(a trestle.Assumption) (trestle.Explanation, error) {
			e, err := x(a)
			return change(e), err
		}
	}
	switch k := c.kind.(type) {
	case get:
		k.explain = changed(k.explain)
		c.kind = k
	case batch:
		gets := make(batch, len(k))
		for i, g := range k {
			g.explain = changed(g.explain)
			gets[i] = g
		}
		c.kind = gets
	case multiRead:
		k.explain = changed(k.explain)
		c.kind = k
	case write:
		k.explain = changed(k.explain)
		c.kind = k
	case batchWrite:
		writes := make(batchWrite, len(k))
		for i, w := range k {
			w.explain = changed(w.explain)
			writes[i] = w
		}
		c.kind = writes
	case transaction:
		own := transaction{writes: k.writes, explain: func(a []trestle.Assumption) (trestle.TransactionExplanation, error) {
			x, err := k.explain(a)
			for i := range x.Operations {
				x.Operations[i] = change(x.Operations[i])
			}
			return x, err
		}}
		for _, g := range k.reads {
			g.explain = changed(g.explain)
			own.reads = append(own.reads, g)
		}
		c.kind = own
	}
	return c
}

// Keep returns a function that restores the requests that Check removes.
func (m *Meter) Keep() (bringBack func()) {
	sent := m.take()
	m.sent = sent
	return func() { m.sent = sent }
}
