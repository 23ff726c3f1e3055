package ddbtest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// storedWorkload returns a storage with all that a database can have, and its workload.
func storedWorkload(t *testing.T) (*memory, *workload) {
	t.Helper()
	m := newMemory()
	o := workloadOptions
	o.Storage = m
	w := newWorkloadOn(t, ddbtest.Start(t, o))
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		name := workloadOrder[r.IntN(len(workloadOrder))]
		w.allow(name, workloadOperations[name](w, r))
	}
	w.db.Load(t, workloadTable, row("pk", "secret", "sk", 1, "x", 1))
	for _, enabled := range []bool{true, false, true} { // closed streams
		_, err := w.client.UpdateTable(t.Context(), streamUpdate(bank, enabled))
		require.NoError(t, err)
		transferOnce(t, w, r)
		w.db.Advance(5 * time.Hour) // a new shard
		transferOnce(t, w, r)
	}
	_, err := w.client.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String(workloadTable), TimeToLiveSpecification: ttlOf("x")})
	require.NoError(t, err)
	_, err = w.client.CreateTable(t.Context(), named("creating", manyIndexes()))
	require.NoError(t, err)
	return m, w
}

// transferOnce repeats a transfer that is refused: one of a counter to itself, or of more than it
// has.
func transferOnce(t *testing.T, w *workload, r *rand.Rand) {
	t.Helper()
	for w.transfer(r) != nil {
		require.NoError(t, t.Context().Err())
	}
}

func streamUpdate(table string, enabled bool) *dynamodb.UpdateTableInput {
	in := &dynamodb.UpdateTableInput{TableName: &table, StreamSpecification: &types.StreamSpecification{StreamEnabled: &enabled}}
	if enabled {
		in.StreamSpecification.StreamViewType = types.StreamViewTypeNewAndOldImages
	}
	return in
}

// damage changes one entry of a storage. It returns what it did.
func (m *memory) damage(r *rand.Rand, keys []string) string {
	key := keys[r.IntN(len(keys))]
	value := bytes.Clone(m.entries[key])
	before := fmt.Sprintf("%q: %s", key, value)
	switch kind := r.IntN(12); kind {
	case 0:
		delete(m.entries, key)
	case 1:
		m.entries[key] = value[:r.IntN(len(value))]
	case 2:
		value[r.IntN(len(value))] = "{}[]\":,0x\x00\xff"[r.IntN(11)]
		m.entries[key] = value
	case 3:
		m.entries[key] = []byte("{}")
	case 4:
		m.entries[string("0123456789"[r.IntN(10)])+key[1:]] = value
	case 5:
		m.entries[key] = m.entries[keys[r.IntN(len(keys))]]
	case 6:
		changed := []byte(key)
		changed[r.IntN(len(key))] ^= 1 << r.IntN(8)
		m.entries[string(changed[:len(changed)-r.IntN(2)])] = value
	default:
		m.entries[key] = damagedJSON(r, value)
	}
	return fmt.Sprintf("%s\n%s", before, m.entries[key])
}

// damagedJSON changes one value in JSON to another one, or removes it.
func damagedJSON(r *rand.Rand, text []byte) []byte {
	var top any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&top) != nil {
		return text
	}
	all := places(&top, func(v any) { top = v })
	at := all[r.IntN(len(all))]
	others := []any{
		nil, json.Number("0"), json.Number("1"), json.Number("-1"), json.Number("9223372036854775807"), json.Number("-9223372036854775808"),
		json.Number("1e300"), "", "x", "S", "BOOL", "\x00", []any{}, map[string]any{}, true, all[r.IntN(len(all))].value,
	}
	if list, ok := at.value.([]any); ok && r.IntN(2) == 0 && len(list) > 0 {
		others = []any{list[1:], append(slices.Clone(list), list[0]), list[:len(list)-1]}
	}
	at.set(others[r.IntN(len(others))])
	changed, err := json.Marshal(top)
	if err != nil {
		return text
	}
	return changed
}

// jsonPlace is a value in JSON that can be replaced.
type jsonPlace struct {
	value any
	set   func(any)
}

func places(v any, set func(any)) []jsonPlace {
	if p, ok := v.(*any); ok {
		v = *p
	}
	list := []jsonPlace{{v, set}}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			list = append(list, places(v[name], func(to any) { v[name] = to })...)
		}
	case []any:
		for i := range v {
			list = append(list, places(v[i], func(to any) { v[i] = to })...)
		}
	}
	return list
}

// useAll sends all kinds of requests to a database, and moves its clock.
func useAll(t *testing.T, db *ddbtest.DB, w *workload, r *rand.Rand) {
	t.Helper()
	client := db.Client(once)
	u := &workload{TB: t, db: db, client: client, streams: db.StreamsClient(), prefix: w.prefix, succeeded: map[string]int{}}
	ctx := t.Context()
	for range 2 {
		for _, name := range workloadOrder {
			if !strings.HasPrefix(name, ".") {
				_ = workloadOperations[name](u, r)
			}
		}
		list, err := client.ListTables(ctx, &dynamodb.ListTablesInput{})
		if err != nil {
			continue
		}
		for _, name := range list.TableNames {
			_, _ = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &name, Item: row("id", 0, "pk", "a", "sk", 1, "x", 1, "y", "p", "n", 1)})
			_, _ = client.Scan(ctx, &dynamodb.ScanInput{TableName: &name})
			described, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
			if err != nil {
				continue
			}
			for _, ix := range described.Table.GlobalSecondaryIndexes {
				_, _ = client.Scan(ctx, &dynamodb.ScanInput{TableName: &name, IndexName: ix.IndexName})
			}
			for _, ix := range described.Table.LocalSecondaryIndexes {
				_, _ = client.Scan(ctx, &dynamodb.ScanInput{TableName: &name, IndexName: ix.IndexName})
			}
			_, _ = client.UpdateTable(ctx, streamUpdate(name, r.IntN(2) == 0))
		}
		db.Hash()
		db.Fork().Close()
		db.Advance(time.Duration(r.IntN(26)) * time.Hour)
	}
}

// TestStorageDamaged damages a storage in one place, and uses a database with it. It is an error
// without values, or a database that works.
func TestStorageDamaged(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := rand.New(rand.NewPCG(testrand.Seed(t), 0))
	whole, w := storedWorkload(t)
	keys := slices.Sorted(maps.Keys(whole.entries))
	byKind := map[byte][]string{}
	for _, key := range keys {
		byKind[key[0]] = append(byKind[key[0]], key)
	}
	kinds := slices.Sorted(maps.Keys(byKind))
	refused := map[byte]int{}
	for range testsize.Pick(200, 1_000, 20_000) {
		m := whole.copied()
		kind := kinds[r.IntN(len(kinds))]
		did := m.damage(r, byKind[kind])
		o := workloadOptions
		o.Storage = m
		db := ddbtest.New(o)
		if err := db.Err(); err != nil {
			require.NotContains(t, err.Error(), "secret")
			require.Error(t, get(t.Context(), db.Client(once)))
			refused[kind]++
			continue
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("%s\n%v\n%s", did, p, debug.Stack())
				}
			}()
			useAll(t, db, w, r)
		}()
		require.NoError(t, db.Err(), did)
		db.Close()
	}
	require.Len(t, refused, len(kinds), "damage of each kind of entry is found")
}

// A stream that takes records and has no shard, and content without the entry of the state, are
// damaged.
func TestStorageLacksShard(t *testing.T) {
	t.Parallel()
	whole, _ := storedWorkload(t)
	require.NoError(t, ddbtest.New(ddbtest.Options{Storage: whole.copied()}).Err())
	for key, value := range whole.entries {
		var f map[string]any
		if key[0] != '3' || json.Unmarshal(value, &f) != nil || f["ClosedAt"] != nil {
			continue
		}
		m := whole.copied()
		f["Shards"] = []any{}
		changed, err := json.Marshal(f)
		require.NoError(t, err)
		m.entries[key] = changed
		require.Error(t, ddbtest.New(ddbtest.Options{Storage: m}).Err())
	}
	delete(whole.entries, "0")
	require.Error(t, ddbtest.New(ddbtest.Options{Storage: whole}).Err())
}
