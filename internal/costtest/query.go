package costtest

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
)

// Explained is a read of package query that can be explained.
type Explained interface {
	Explain(assume ...trestle.Assumption) (trestle.Explanation, error)
}

// Compiled is a query, a projected query or a collection of package query.
type Compiled interface {
	Explained
	Inputs() ([]*dynamodb.QueryInput, error)
}

// Query expects a query. Any of its methods may run it: All, First, Page, Count and so on. It
// expects one request for each partition, which are several if the partition key has a shard or a
// period; see [Call.Requests]. For a query with Fetch it also expects the batch reads of the items
// of the entries that these requests read.
func Query(q Compiled) Call {
	c := multiRead{n: 1, explain: func(a trestle.Assumption) (trestle.Explanation, error) { return q.Explain(a) }}
	inputs, err := q.Inputs()
	if err == nil {
		c.n = len(inputs)
		c.is = func(r *request, _ trestle.Explanation) bool {
			wanted := func(in *dynamodb.QueryInput) bool { return r.query.equal(selectionOf(in)) }
			return r.op == queryOp && slices.ContainsFunc(inputs, wanted)
		}
	}
	return Call{c, err}
}

// Scan expects a scan of one request; see [Call.Requests].
func Scan(s Explained) Call {
	return Call{kind: multiRead{
		n:       1,
		explain: func(a trestle.Assumption) (trestle.Explanation, error) { return s.Explain(a) },
		is: func(r *request, x trestle.Explanation) bool {
			return r.op == scanOp && r.table == x.Table && r.index == x.Index && r.strong == x.Strong
		},
	}}
}

// Requests sets the number of requests of a query or a scan, if it is not one: because it reads
// more than 1 MB, or has a page size, segments, or a filter and a limit. It does not change other
// calls.
func (c Call) Requests(n int) Call {
	if q, ok := c.kind.(multiRead); ok {
		q.n = n
		c.kind = q
	}
	return c
}

// multiRead is a read of many items.
type multiRead struct {
	n       int // requests
	explain explain
	is      func(*request, trestle.Explanation) bool
}

func (q multiRead) match(l *openRequests) error {
	x, err := q.explain(trestle.Assumption{})
	if err != nil {
		return err
	}
	n := q.n
	if x.Assumed.Items == 0 { // no key can match, so nothing is sent
		n = 0
	}
	sent := l.take(n, func(r *request) bool { return q.is(r, x) })
	if len(sent) < n {
		return missing(x, len(sent), n)
	}
	switch {
	case n == 0:
		return nil
	case x.Fetch != "":
		return q.matchFetch(l, sent)
	}
	if x, err = q.explain(itemsRead(sent)); err != nil {
		return err
	}
	return compare(x.String(), "read", x.Units.Read, float64(n)*roundingTolerance(x), sent)
}

// itemsRead returns the items of several requests as an assumption. It assumes at least one item,
// because a read of no item costs as much as a read of a small item.
func itemsRead(sent []*request) (a trestle.Assumption) {
	bytes := 0
	for _, r := range sent {
		a.Items += r.items
		bytes += r.bytes
	}
	a.Items = max(1, a.Items)
	a.ItemSize = max(1, (bytes+a.Items/2)/a.Items)
	return a
}
