package write_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// thing has different keys in every schema of the test. Its optional fields are absent if they are
// zero.
type thing struct {
	Group     string    `dynamodbav:"group"`
	ID        string    `dynamodbav:"id"`
	Name      string    `dynamodbav:"name"`
	City      string    `dynamodbav:"city,omitempty"`
	Level     int64     `dynamodbav:"level,omitempty"`
	At        time.Time `dynamodbav:"at"`
	Ends      time.Time `dynamodbav:"ends,unixtime,omitempty"`
	Note      string    `dynamodbav:"note"`
	Count     int64     `dynamodbav:"count"`
	Version   int64     `dynamodbav:"version"`
	CreatedAt time.Time `dynamodbav:"created_at"`
	UpdatedAt time.Time `dynamodbav:"updated_at"`
}

var placeholders = []string{
	"<name>", "<name>", "<city>", "<city:lower>", "<level:ord>", "<level:06>", "<at:s>", "<at:day>", "<ends:unix>", "<ends:ns>", "<group>", "<id>", "<updated_at:ns>", "<created_at:s>",
}

// randomSchema generates a schema for things: its indexes and roles.
func randomSchema(r *rand.Rand) (*entity.Schema, *entity.Type[thing]) {
	literal := 0
	template := func(most int) string {
		literal++
		parts := []string{fmt.Sprintf("L%d", literal)}
		for range 1 + r.IntN(most) {
			parts = append(parts, placeholders[r.IntN(len(placeholders))])
		}
		return strings.Join(parts, "#")
	}
	config := entity.Config{Indexes: []entity.IndexConfig{
		{Name: "GSI1"}, {Name: "GSI2"}, {Name: "LSI1", Kind: entity.LocalIndex},
		{Name: "INV", Partition: []entity.Attribute{entity.S("SK")}, Sort: []entity.Attribute{entity.S("PK")}},
		{Name: "SHARE", Partition: []entity.Attribute{entity.S("GSI1PK")}},
		{Name: "MULTI", Partition: []entity.Attribute{entity.S("name"), entity.S("city")}, Sort: []entity.Attribute{entity.N("level")}},
	}}
	spec := entity.Spec{
		Type: "thing", Key: entity.KeySpec{PK: "G#<group>", SK: "T#<id>"}, Roles: map[string]string{},
		Indexes: []entity.IndexSpec{
			{Name: "one", On: "GSI1", PK: template(2), SK: template(3)}, {Name: "two", On: "GSI2", PK: template(1), SK: template(2)},
			{Name: "local", On: "LSI1", SK: template(2)}, {Name: "share", On: "SHARE", SK: template(2)},
		},
	}
	for name, role := range map[string]string{"version": "version", "created_at": "created", "updated_at": "updated"} {
		if r.IntN(2) == 0 {
			spec.Roles[name] = role
		}
	}
	schema := entity.NewSchema(config)
	return schema, entity.DefineSpec[thing](schema, spec)
}

// concurrentTable is a table of things with several concurrent writers.
type concurrentTable struct {
	client *dynamodb.Client
	things *entity.Type[thing]
	repo   *entity.Repo[thing]

	applied, failed, rejected, checked atomic.Int64
	running, maxRunning                atomic.Int64
}

func (s *concurrentTable) value(r *rand.Rand, name string) any {
	switch name {
	case "level":
		return []int64{0, 1, 7, 42}[r.IntN(4)]
	case "count", "version":
		return r.Int64N(3)
	case "at", "ends", "created_at", "updated_at":
		start := time.Date(2026, 8, 5, 12, 0, 0, 0, time.UTC)
		return []time.Time{{}, start, start.Add(500 * time.Millisecond), start.AddDate(0, 0, 1)}[r.IntN(4)]
	default:
		return []string{"", "a", "A", "b#c"}[r.IntN(4)]
	}
}

var fieldNames = []string{"name", "city", "level", "at", "ends", "note", "count", "created_at"}

// randomThing generates a thing with one of two keys.
func (s *concurrentTable) randomThing(r *rand.Rand) thing {
	t := thing{Group: "g", ID: string("xy"[r.IntN(2)])}
	v := reflect.ValueOf(&t).Elem()
	for i, name := range []string{"", "", "name", "city", "level", "at", "ends", "note", "count", "", "created_at", "updated_at"} {
		if name != "" && r.IntN(3) > 0 {
			v.Field(i).Set(reflect.ValueOf(s.value(r, name)))
		}
	}
	return t
}

func (s *concurrentTable) changes(r *rand.Rand) []attr.Change[thing] {
	var list []attr.Change[thing]
	for _, i := range r.Perm(len(fieldNames))[:1+r.IntN(3)] {
		field := attr.Named[thing](fieldNames[i])
		switch n := r.IntN(10); {
		case n < 5:
			list = append(list, field.Set(s.value(r, fieldNames[i])))
		case n < 8:
			list = append(list, field.Remove())
		case fieldNames[i] == "level":
			list = append(list, attr.Add(attr.Typed[int64](field), 1))
		default:
			list = append(list, field.SetIfAbsent(s.value(r, fieldNames[i])))
		}
	}
	return list
}

// step makes one random call and then checks the item, whichever writer wrote it last.
func (s *concurrentTable) step(ctx context.Context, r *rand.Rand) error {
	s.maxRunning.Store(max(s.maxRunning.Load(), s.running.Add(1)))
	e := s.randomThing(r)
	known := e
	if current, err := s.repo.Strong().Get(ctx, e); err == nil {
		known = current
		e.Version = current.Version
	}
	err := s.randomCall(ctx, r, e, known)
	s.running.Add(-1)
	switch {
	case err == nil:
		s.applied.Add(1)
	case errors.Is(err, trestle.ErrInvalid):
		s.rejected.Add(1)
	case errors.Is(err, trestle.ErrNotFound), errors.Is(err, trestle.ErrExists), errors.Is(err, trestle.ErrStale), errors.Is(err, trestle.ErrCondition):
		s.failed.Add(1)
	default:
		return fmt.Errorf("%w: %w", err, errors.Unwrap(err))
	}
	return s.checkKeys(ctx, e)
}

func (s *concurrentTable) randomCall(ctx context.Context, r *rand.Rand, e, known thing) error {
	repo := s.repo
	if r.IntN(2) == 0 {
		repo = repo.With(entity.ReadFirst())
	}
	if r.IntN(2) == 0 { // the example matches the stored item
		known.Version *= r.Int64N(2)
	} else {
		known = thing{Group: e.Group, ID: e.ID}
	}
	var err error
	switch n := r.IntN(20); {
	case n < 1:
		err = repo.Create(ctx, &e)
	case n < 5:
		err = repo.Put(ctx, &e)
	case n < 6:
		err = repo.Overwrite(ctx, &e)
	case n < 7:
		err = repo.Delete(ctx, known)
	case n < 11:
		changes := s.changes(r)
		_, err = repo.Upsert(ctx, known, changes[0], changes[1:]...)
	default:
		changes := s.changes(r)
		_, err = repo.Update(ctx, known, changes[0], changes[1:]...)
	}
	return err
}

// keyAttributes returns the key attributes of an item, for the table and all indexes.
func keyAttributes(item map[string]types.AttributeValue) map[string]types.AttributeValue {
	item = maps.Clone(item)
	maps.DeleteFunc(item, func(name string, _ types.AttributeValue) bool {
		return !slices.Contains([]string{"PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "LSI1SK", "SHARESK"}, name)
	})
	return item
}

// checkKeys compares the keys of the stored item with a new rendering of its fields.
func (s *concurrentTable) checkKeys(ctx context.Context, example thing) error {
	key, err := s.things.KeyOf(example)
	if err != nil {
		return err
	}
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("things"), Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil || out.Item == nil {
		return err
	}
	stored, err := s.things.Decode(out.Item)
	if err != nil {
		return err
	}
	fresh, err := s.things.Encode(&stored)
	if err != nil {
		return err
	}
	s.checked.Add(1)
	if !reflect.DeepEqual(keyAttributes(out.Item), keyAttributes(fresh)) {
		return errStaleKey
	}
	return nil
}

var errStaleKey = errors.New("the keys of a stored item are not those of its fields")

// openTable creates a table with a random schema.
func openTable(t *testing.T, e engines.Engine, r *rand.Rand) *concurrentTable {
	t.Helper()
	for {
		schema, things := randomSchema(r)
		client := e.Client(t)
		table, err := schema.Open(client, "things")
		if err != nil { // two templates clash
			continue
		}
		require.NoError(t, table.Create(t.Context()))
		return &concurrentTable{client: client, things: things, repo: things.In(table)}
	}
}

// TestIndexesAreNeverStaleOnEngines checks index keys with several concurrent writers on a real
// engine.
func TestIndexesAreNeverStaleOnEngines(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		const writers = 4
		seed := testrand.Seed(t)
		calls := testsize.Pick(600, 2_500, 20_000)
		schemas := testsize.Pick(4, 15, 100)
		var applied, failed, rejected, checked, maxRunning int64
		for i := range schemas {
			s := openTable(t, e, rand.New(rand.NewPCG(seed, uint64(i))))
			errs := make(chan error, writers)
			var wg sync.WaitGroup
			for w := range writers {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(seed, uint64(1000+i*writers+w)))
					for range calls / schemas / writers {
						if err := s.step(t.Context(), r); err != nil {
							errs <- fmt.Errorf("schema %d: %w", i, err)
							return
						}
					}
				})
			}
			wg.Wait()
			close(errs)
			require.NoError(t, <-errs)
			applied, failed, rejected, checked = applied+s.applied.Load(), failed+s.failed.Load(), rejected+s.rejected.Load(), checked+s.checked.Load()
			maxRunning = max(maxRunning, s.maxRunning.Load())
		}
		t.Logf("%d applied, %d failed, %d rejected, %d items checked, up to %d calls at once", applied, failed, rejected, checked, maxRunning)
		require.Greater(t, applied*2, int64(calls)/2)
		require.Greater(t, maxRunning, int64(1), "no two writers ran at the same time")
	})
}

// TestStaleIndexIsDetected is the negative control. It checks that the test detects a manual update
// that leaves the index key unchanged.
func TestStaleIndexIsDetected(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		named := entity.DefineSpec[thing](schema, entity.Spec{
			Type: "thing", Key: entity.KeySpec{PK: "G#<group>", SK: "T#<id>"},
			Indexes: []entity.IndexSpec{{Name: "by-name", On: "GSI1", PK: "N#<name>", SK: "<id>"}},
		})
		table, err := schema.Open(client, "things")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := &concurrentTable{client: client, things: named, repo: named.In(table)}
		it := thing{Group: "g", ID: "x", Name: "one"}
		require.NoError(t, s.repo.Create(t.Context(), &it))
		require.NoError(t, s.checkKeys(t.Context(), it))
		key, err := named.KeyOf(it)
		require.NoError(t, err)
		_, err = client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String("things"), Key: key, UpdateExpression: aws.String("SET #n = :v"),
			ExpressionAttributeNames:  map[string]string{"#n": "name"},
			ExpressionAttributeValues: map[string]types.AttributeValue{":v": &types.AttributeValueMemberS{Value: "two"}},
		})
		require.NoError(t, err)
		require.ErrorIs(t, s.checkKeys(t.Context(), it), errStaleKey)
	})
}
