package fetch

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

const (
	// batchSize is the maximum number of keys in one BatchGetItem request.
	batchSize = 100
	// stalls is the number of consecutive requests without any processed key after which Many gives
	// up.
	stalls = 8
)

// Wish identifies a wanted item by its key.
type Wish struct {
	Table  string
	Schema *core.Schema
	Key    op.Item
	Strong bool
}

// Part is the projection of each item. The zero value is the whole item.
type Part struct {
	Expression string
	Names      map[string]string
}

// Distinct returns the number of distinct items, and how many of them are read strongly
// consistently.
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

// Many reads items by their keys, 100 per request. It calls give for each wish whose item exists,
// and reads a repeated key once. It retries keys that DynamoDB leaves unprocessed after a pause,
// and gives up after 8 consecutive requests without a processed key. With an error, it returns the
// indexes of the wishes that were not fulfilled. The error is a *exec.Failure.
func Many(ctx context.Context, r *exec.Read, wishes []Wish, part Part, give func(wish int, item op.Item) error) (left []int, err error) {
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

// many is a running batch read.
type many struct {
	call   *exec.Read
	wishes []Wish
	part   Part
	give   func(int, op.Item) error
	places map[string][]int // indexes of the wishes for each item
	queue  []int            // index of the first wish for each item that is still to be read
	bad    map[int]error    // the errors of give, by index of the wish
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

var unprocessed = &errs.ValidationError{Problems: []errs.Problem{{
	Reason: "the service left keys unprocessed, eight times in a row", Hint: "the table is throttled: ask again later, spread the load, or raise the capacity",
}}}

// input returns a request for some of the wishes.
func (m *many) input(asked []int) *dynamodb.BatchGetItemInput {
	tables := map[string]types.KeysAndAttributes{}
	for _, i := range asked {
		w := &m.wishes[i]
		t := tables[w.Table]
		if t.Keys == nil && m.part.Expression != "" {
			// A clone, because the projection keeps its own map.
			t.ProjectionExpression, t.ExpressionAttributeNames = aws.String(m.part.Expression), maps.Clone(m.part.Names)
		}
		if w.Strong {
			t.ConsistentRead = aws.Bool(true)
		}
		t.Keys = append(t.Keys, w.Key)
		tables[w.Table] = t
	}
	return &dynamodb.BatchGetItemInput{RequestItems: tables, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
}

// left returns the wishes whose keys are unprocessed, in their order.
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

// hand calls give for each item and each of its wishes. It continues after an error.
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

// unreadable returns the error of the first wish for which give failed, or nil.
func (m *many) unreadable() error {
	if len(m.bad) == 0 {
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(m.bad)))
	f := m.call.FailAt(m.wishes[first].Key, m.bad[first])
	f.Table = m.wishes[first].Table
	return f
}

// unanswered returns the indexes of the wishes that are still in the queue or for which give
// failed, in ascending order.
func (m *many) unanswered() []int {
	all := slices.Collect(maps.Keys(m.bad))
	for _, i := range m.queue {
		w := &m.wishes[i]
		all = append(all, m.places[identity(w.Table, w.Schema, w.Key)]...)
	}
	slices.Sort(all)
	return all
}
