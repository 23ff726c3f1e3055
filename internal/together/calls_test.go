package together_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/trestledb/trestle/entity"
)

// call is an operation on one item.
type call struct {
	verb    verb
	row     row // the example or the entity
	changes []change
	conds   []cond
	options []entity.CallOption
	earlier bool // it is of a program with fewer shards
}

func (c call) String() string {
	return fmt.Sprintf("%s %s/%s/%s %v v%d points %d members %d expires %d, changes %v, conditions %v",
		c.verb, c.row.kind, c.row.tenant, c.row.id, c.row.text, c.row.version, c.row.points, c.row.members, c.row.expires, c.changes, c.conds)
}

var (
	tenants = []string{"a", "a1"}
	ids     = []string{"1", "10", "2"}
	values  = map[string][]string{
		"name": {"", "n1", "n2", "n3"}, "state": {"", "on", "off"}, "email": {"", "e1", "e2", "e3"}, "team": {"", "1", "10", "2"}, "code": {"", "c1", "c2"},
	}
)

func pick[E any](r *rand.Rand, list []E) E { return list[r.IntN(len(list))] }

// randomCall returns a call that often fits the state.
func randomCall(r *rand.Rand, s store, tenant string, now time.Time) call {
	k := kinds[pick(r, []string{"team", "team", "member", "member", "member", "entry", "entry"})]
	c := call{
		verb: pick(r, []verb{create, create, put, put, overwrite, update, update, update, upsert, upsert, remove, check}),
		row:  row{kind: k.name, tenant: tenant, id: pick(r, ids), text: map[string]string{}},
	}
	stored, alive := s.live(c.row.key(), now.Unix())
	if alive && k.versioned && r.IntN(2) == 0 {
		c.row.version = stored.version - int64(r.IntN(8)/7) // sometimes an earlier one
	}
	switch c.verb {
	case create, put, overwrite:
		for _, f := range k.texts {
			if text := pick(r, values[f]); text != "" {
				c.row.text[f] = text
			}
		}
		c.row.points = int64(r.IntN(3))
		if k.expires {
			c.row.expires = randomExpiry(r, now)
		}
		if alive && k.versioned && c.verb != create {
			c.row.members = stored.members + int64(r.IntN(10)/9)
			if c.verb == put && r.IntN(4) > 0 {
				c.row.version = stored.version
			}
		}
		if c.verb == create {
			c.row.version = 0
		}
	case update, upsert:
		c.randomChanges(r, k, now)
	}
	if c.verb != create {
		c.randomConds(r, k)
	}
	_, exists := s[c.row.key()] // perhaps expired
	c.earlier = k.name == "entry" && c.verb == create && !exists && r.IntN(2) == 0
	return c
}

// randomExpiry returns a time to live: none, in the past or soon.
func randomExpiry(r *rand.Rand, now time.Time) int64 {
	return pick(r, []int64{0, 0, now.Unix() - 5, now.Unix() + 3, now.Unix() + 30})
}

// randomChanges adds one or two changes. Those of a key of an index name all of its fields.
func (c *call) randomChanges(r *rand.Rand, k *kind, now time.Time) {
	c.options = append(c.options, entity.ReadFirst())
	fields := append([]string{"points", "points"}, k.texts...)
	if k.expires {
		fields = append(fields, "expires")
	}
	r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	used := map[string]bool{}
	for _, f := range fields[:1+r.IntN(2)] {
		switch {
		case used[f]:
		case f == "points" && r.IntN(2) == 0:
			c.changes = append(c.changes, change{field: f, number: int64(1 + r.IntN(2)), add: true})
		case f == "points":
			c.changes = append(c.changes, change{field: f, number: int64(r.IntN(3))})
		case f == "expires":
			c.changes = append(c.changes, change{field: f, number: now.Unix() + int64(r.IntN(20)) - 3})
		default:
			c.changes = append(c.changes, change{field: f, text: pick(r, values[f])})
		}
		used[f] = true
	}
}

func (c *call) randomConds(r *rand.Rand, k *kind) {
	switch r.IntN(6) {
	case 0:
		c.conds = append(c.conds, cond{field: "points", number: int64(r.IntN(3))})
	case 1:
		f := pick(r, k.texts)
		c.conds = append(c.conds, cond{field: f, text: pick(r, values[f])})
	}
	if c.verb == check && len(c.conds) == 0 {
		c.conds = append(c.conds, cond{field: "points", number: 0})
	}
}

// getter reads an item.
type getter func(ctx context.Context) (row, error)

func getterOf[T any](r *entity.Repo[T], example T, rowOf func(T) row) getter {
	return func(ctx context.Context) (row, error) {
		e, err := r.Strong().Get(ctx, example)
		return rowOf(e), err
	}
}
