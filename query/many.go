package query

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
)

// Lookup is an item that [GetMany] reads by its key. [Key] creates it.
type Lookup struct {
	source  door.Source
	example codec.Ptr
	value   any
}

// Key returns a lookup of the item with the key of example.
func Key[T any](s entity.Source[T], example T) Lookup {
	return Lookup{source: door.SourceOf(s), example: codec.PtrTo(&example), value: example}
}

// GetMany reads items of several types by their keys, 100 per request. It returns them in the order
// of the lookups: a value of each lookup's Go type, or nil if the item does not exist. The lookups
// may use several tables of one client. GetMany reads a repeated key once. Each item costs as much
// as a Get.
//
// GetMany retries keys that DynamoDB leaves unprocessed, like [entity.Reader.GetMany]. If keys are
// still unprocessed at the end, it returns their examples in an [*entity.UnprocessedError] of any.
// The repository of the first lookup determines how requests are sent and which observer is
// notified.
func GetMany(ctx context.Context, lookups ...Lookup) ([]any, error) {
	found := make([]any, len(lookups))
	if len(lookups) == 0 {
		return found, nil
	}
	wishes, env, err := wishesOf(lookups)
	if err != nil {
		return nil, refusedMany(env, err)
	}
	r := exec.NewRead(env, exec.Info{Operation: "get many", Table: oneTable(wishes)}, nil)
	left, err := fetch.Many(ctx, &r, wishes, fetch.Part{}, func(i int, item op.Item) error {
		p := lookups[i].source.Plan
		if !p.Matches(item) {
			r.Unknown++
			return nil
		}
		entity := reflect.New(p.Type).Elem()
		if err := p.Decode(item, codec.PtrOf(entity)); err != nil {
			return errs.Undecodable(err)
		}
		r.Items++
		found[i] = entity.Interface()
		return nil
	})
	if err == nil {
		return found, nil
	}
	examples := make([]any, len(left))
	for i, place := range left {
		examples[i] = lookups[place].value
	}
	return found, door.Unprocessed(examples, err)
}

// ExplainMany describes what [GetMany] would do and estimates its cost for items of the assumed
// size. It sends nothing.
func ExplainMany(lookups []Lookup, assume ...entity.Assumption) (entity.Explanation, error) {
	wishes, env, err := wishesOf(lookups)
	if err != nil {
		return entity.Explanation{}, refusedMany(env, err)
	}
	var b explain.Batch
	b.Items, b.Strong = fetch.Distinct(wishes)
	var tables []string
	for i, l := range lookups {
		if p := l.source.Plan; i == 0 {
			b.Plan = p
		} else if p != b.Plan {
			b.Plan = nil
		}
		if !slices.Contains(tables, wishes[i].Table) {
			tables = append(tables, wishes[i].Table)
		}
	}
	b.Table = strings.Join(tables, ", ")
	return explained(explain.Many(b, first(assume))), nil
}

func refusedMany(env *exec.Config, err error) error {
	f := &exec.Failure{Operation: "get many", Kind: errs.KindOf(err), Outcome: op.NoWrite, Err: err}
	if env != nil {
		f.Table = env.Table
	}
	return door.Fail(f)
}

// wishesOf renders all keys. It reports all mistakes in the lookups at once.
func wishesOf(lookups []Lookup) ([]fetch.Wish, *exec.Config, error) {
	wishes := make([]fetch.Wish, len(lookups))
	strong := map[string]bool{}
	var env *exec.Config
	var problems errs.Problems
	for i, l := range lookups {
		place := fmt.Sprintf("lookups[%d]", i)
		s := l.source
		switch {
		case s.Err != nil:
			problems.AddAt(place, s.Err)
			continue
		case s.Env == nil:
			problems.Add(place, "the lookup is empty", "make it with query.Key")
			continue
		case env == nil:
			env = s.Env
		case !sameClient(env, s.Env):
			problems.Add(place, "it is on another client than the first", "read each client's items by themselves")
		}
		if before, ok := strong[s.Env.Table]; ok && before != s.Strong {
			problems.Add(place, "of one table all or none are read strongly consistent", "take all from Strong, or none")
		}
		strong[s.Env.Table] = s.Strong
		key, err := door.KeyOf(s.Plan, l.example)
		problems.AddAt(place, err)
		wishes[i] = fetch.Wish{Table: s.Env.Table, Schema: s.Plan.Schema, Key: key, Strong: s.Strong}
	}
	return wishes, env, problems.Err()
}

// oneTable returns the table of all wishes, or "" if there are several.
func oneTable(wishes []fetch.Wish) string {
	for i := range wishes {
		if wishes[i].Table != wishes[0].Table {
			return ""
		}
	}
	return wishes[0].Table
}

// sameClient reports whether two tables use the same client. Clients that cannot be compared are
// the same only within one table.
func sameClient(a, b *exec.Config) bool {
	return a == b || reflect.ValueOf(a.Client).Comparable() && reflect.ValueOf(b.Client).Comparable() && a.Client == b.Client
}
