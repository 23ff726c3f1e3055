package fetch

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

const (
	// batchSize is how many keys one BatchGetItem takes.
	batchSize = 100
	// stalls is how many requests in a row may bring nothing at all before the rest is given up.
	stalls = 8
)

// Wish is an item that is wanted, by its key.
type Wish struct {
	Table  string
	Schema *core.Schema
	Key    op.Item
	Strong bool
}

// Part is what is wanted of each item; the zero value is all of it.
type Part struct {
	Expression string
	Names      map[string]string
}

// Distinct is how many items are wished, and how many of them strongly consistent.
func Distinct(wishes []Wish) (items, strong int) {
	met := map[string]bool{}
	for i := range wishes {
		w := &wishes[i]
		id := identity(w.Table, w.Schema, w.Key)
		if met[id] {
			continue
		}
		met[id] = true
		if items++; w.Strong {
			strong++
		}
	}
	return items, strong
}

// Many reads items by their keys, a hundred with a request, and gives each to whoever wished it; one that is not there is given to nobody. Keys
// that come again are read once. What the service leaves unprocessed is asked for again after a pause, until it brings nothing eight times in a
// row. It returns the numbers of the wishes that were not answered, with the reason. The error is a *call.Failure.
func Many(ctx context.Context, r *call.Read, wishes []Wish, part Part, give func(wish int, item op.Item) error) (left []int, err error) {
	m := &many{call: r, wishes: wishes, part: part, give: give, places: map[string][]int{}, bad: map[int]error{}}
	for i := range wishes {
		m.add(i)
	}
	err = r.Observe(ctx, m.run)
	if err != nil {
		left = m.unanswered()
	}
	return left, err
}

// many is a batch read under way.
type many struct {
	call   *call.Read
	wishes []Wish
	part   Part
	give   func(int, op.Item) error
	places map[string][]int // the wishes for one item
	queue  []int            // the first wish of each item that is still to be asked for
	bad    map[int]error    // the wishes of items that came and could not be given
}

func (m *many) add(i int) {
	id := identity(m.wishes[i].Table, m.wishes[i].Schema, m.wishes[i].Key)
	if m.places[id] == nil {
		m.queue = append(m.queue, i)
	}
	m.places[id] = append(m.places[id], i)
}

func identity(table string, s *core.Schema, key op.Item) string {
	return strconv.Itoa(len(table)) + ":" + table + s.Identity(key)
}

func (m *many) run(ctx context.Context) error {
	for tries, stalled := 0, 0; len(m.queue) > 0; {
		n := min(batchSize, len(m.queue))
		asked := m.queue[:n:n]
		answer, err := m.call.BatchGet(ctx, m.input(asked))
		if err != nil {
			return err
		}
		again := m.left(asked, answer.Left)
		m.queue = append(again, m.queue[n:]...)
		m.hand(answer.Items, asked)
		if len(again) == 0 {
			tries, stalled = 0, 0
			continue
		}
		if stalled++; len(again) < n {
			stalled = 0
		}
		if stalled == stalls {
			return m.call.Fail(unprocessed)
		}
		tries++
		if err := m.call.Pause(ctx, tries); err != nil {
			return err
		}
	}
	return m.unreadable()
}

var unprocessed = &fail.Refusal{Problems: []fail.Problem{{
	Reason: "the service left keys unprocessed, eight times in a row", Hint: "the table is throttled: ask again later, spread the load, or raise the capacity",
}}}

// input asks for some of the wishes.
func (m *many) input(asked []int) *dynamodb.BatchGetItemInput {
	tables := map[string]types.KeysAndAttributes{}
	for _, i := range asked {
		w := &m.wishes[i]
		t := tables[w.Table]
		if t.Keys == nil && m.part.Expression != "" {
			t.ProjectionExpression, t.ExpressionAttributeNames = aws.String(m.part.Expression), maps.Clone(m.part.Names) // the projection keeps its own
		}
		if w.Strong {
			t.ConsistentRead = aws.Bool(true)
		}
		t.Keys = append(t.Keys, w.Key)
		tables[w.Table] = t
	}
	return &dynamodb.BatchGetItemInput{RequestItems: tables, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
}

// left finds the wishes whose keys came back unprocessed, in their order.
func (m *many) left(asked []int, tables map[string]types.KeysAndAttributes) []int {
	if len(tables) == 0 {
		return nil
	}
	undone := map[string]bool{}
	for _, i := range asked {
		w := &m.wishes[i]
		for _, key := range tables[w.Table].Keys {
			undone[identity(w.Table, w.Schema, key)] = true
		}
	}
	var again []int
	for _, i := range asked {
		if w := &m.wishes[i]; undone[identity(w.Table, w.Schema, w.Key)] {
			again = append(again, i)
		}
	}
	return again
}

// hand gives the items to those who wished them. One that cannot be given hides no other.
func (m *many) hand(tables map[string][]op.Item, asked []int) {
	schemas := map[string]*core.Schema{}
	for _, i := range asked {
		schemas[m.wishes[i].Table] = m.wishes[i].Schema
	}
	for table, items := range tables {
		for _, item := range items {
			for _, i := range m.places[identity(table, schemas[table], item)] {
				if err := m.give(i, item); err != nil {
					m.bad[i] = err
				}
			}
		}
	}
}

// unreadable is what is wrong with the first item that could not be given; nil where there is none.
func (m *many) unreadable() error {
	if len(m.bad) == 0 {
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(m.bad)))
	f := m.call.FailAt(m.wishes[first].Key, m.bad[first])
	f.Table = m.wishes[first].Table
	return f
}

// unanswered are all wishes for what is still in the queue, and those whose items could not be given, in their order.
func (m *many) unanswered() []int {
	all := slices.Collect(maps.Keys(m.bad))
	for _, i := range m.queue {
		w := &m.wishes[i]
		all = append(all, m.places[identity(w.Table, w.Schema, w.Key)]...)
	}
	slices.Sort(all)
	return all
}
