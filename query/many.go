package query

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/tenancy"
	"github.com/trestledb/trestle/internal/write"
)

// ItemRef is an item that [GetMany] reads by its key. [Ref] creates it.
type ItemRef struct {
	source  hooks.Source
	example codec.Ptr
	value   any
}

// Ref returns a reference to the item with the key of example.
func Ref[T any](s entity.Source[T], example T) ItemRef {
	return newRef(hooks.SourceOf(s), &example)
}

// newRef returns the reference to the item of an example.
//
//go:noinline
func newRef(s hooks.Source, example any) ItemRef {
	r := ItemRef{source: s, example: codec.PtrTo(example), value: reflect.ValueOf(example).Elem().Interface()}
	if s.Err == nil {
		r.example, r.source.Err = s.Config.Tenant.BindPtr(s.Plan, example)
	}
	return r
}

// GetMany reads items of several types by their keys, 100 per request, with up to 4 requests at the
// same time. It returns them in the order of the references: a value of each reference's Go type,
// or nil if the item does not exist. The references may use several tables of one client. GetMany
// reads a repeated key once. Each item costs as much as a Get.
//
// GetMany retries keys that DynamoDB leaves unprocessed, like [entity.Reader.GetMany]. If it fails,
// the error is a [*trestle.UnprocessedError]; [trestle.Unprocessed] then returns the examples of
// one type that were not read. The call options and the observer are those of the repository of the
// first reference.
func GetMany(ctx context.Context, refs ...ItemRef) ([]any, error) {
	found := make([]any, len(refs))
	if len(refs) == 0 {
		return found, nil
	}
	keys, config, err := keysOf(refs)
	if err != nil {
		return nil, manyInvalid(config, err)
	}
	call := exec.NewCall(config, trestle.OperationInfo{Operation: getMany, Table: oneTable(keys)}, nil, trestle.NoWrite)
	left, err := fetch.BatchGet(ctx, &call, keys, fetch.Projection{}, func(i int, row core.Row) error {
		s := &refs[i].source
		return fetch.Take(&call, core.Wanted{Type: s.Plan, Keyed: true, Expiry: s.Expiry()}, row, func() error {
			entity := reflect.New(s.Plan.Type).Elem()
			if err := row.Decode(s.Plan, codec.PtrOf(entity)); err != nil {
				return errs.Undecodable(err)
			}
			found[i] = entity.Interface()
			return nil
		})
	})
	if err == nil || len(left) == 0 {
		return found, err
	}
	return found, &trestle.UnprocessedError{Err: err, Items: func() []any {
		examples := make([]any, len(left))
		for i, at := range left {
			examples[i] = refs[at].value
		}
		return examples
	}}
}

const getMany = "get many"

// ExplainMany describes what [GetMany] would do and estimates its cost for items of the assumed
// size. It sends nothing.
func ExplainMany(refs []ItemRef, assume ...trestle.Assumption) (trestle.Explanation, error) {
	keys, config, err := keysOf(refs)
	if err != nil {
		return trestle.Explanation{}, manyInvalid(config, err)
	}
	var b explain.Batch
	b.Items, b.Strong = fetch.Distinct(keys)
	var tables []string
	for i, ref := range refs {
		b.HidesExpired = b.HidesExpired || !ref.source.Expiry().IsZero()
		if p := ref.source.Plan; i == 0 {
			b.Plan = p
		} else if p != b.Plan {
			b.Plan = nil
		}
		if !slices.Contains(tables, keys[i].Table) {
			tables = append(tables, keys[i].Table)
		}
	}
	b.Table = strings.Join(tables, ", ")
	return explain.Many(b, first(assume)), nil
}

// manyInvalid returns the error of a batch read that is never sent.
func manyInvalid(config *exec.Config, err error) error {
	e := &trestle.OpError{Op: getMany, Outcome: trestle.NoWrite}
	e.Kind, e.Err = errs.Classify(err)
	if config != nil {
		e.Table = config.Table
	}
	return e
}

// keysOf renders all keys. It reports all mistakes in the references at once.
func keysOf(refs []ItemRef) ([]fetch.KeyRequest, *exec.Config, error) {
	keys := make([]fetch.KeyRequest, len(refs))
	strong := map[string]bool{}
	var config *exec.Config
	var problems errs.Problems
	for i, ref := range refs {
		place := fmt.Sprintf("refs[%d]", i)
		s := ref.source
		switch {
		case s.Err != nil:
			problems.AddAt(place, s.Err)
			continue
		case s.Config == nil:
			problems.Add(place, "the reference is empty", "make it with query.Ref")
			continue
		case config == nil:
			config = s.Config
		case !config.SameClient(s.Config):
			problems.Add(place, "it uses another client than the first reference", "call GetMany once for each client")
		}
		if before, ok := strong[s.Config.Table]; ok && before != s.Strong {
			problems.Add(place, "the references to one table are not all strongly consistent", "use Strong for all of them or for none")
		}
		strong[s.Config.Table] = s.Strong
		if i > 0 && !config.Tenant.Same(s.Config.Tenant) {
			problems.AddAt(place, tenancy.ErrMixed)
		}
		places, err := write.Places(s.Plan, ref.example)
		if err != nil {
			problems.AddAt(place, err)
			continue
		}
		keys[i] = fetch.KeyRequest{Table: s.Config.Table, Schema: s.Plan.Schema, Key: places[0], Elsewhere: places[1:], Strong: s.Strong}
	}
	return keys, config, problems.Err()
}

// oneTable returns the table of all keys, or "" if there are several.
func oneTable(keys []fetch.KeyRequest) string {
	for i := range keys {
		if keys[i].Table != keys[0].Table {
			return ""
		}
	}
	return keys[0].Table
}
