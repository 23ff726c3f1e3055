package tenancy_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	sdk "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/schema"
)

// newEnforcedWorld is newWorld on ddbtest, where the policies of two tenants restrict the clients
// of their handles. a and b are the tables of these clients without a handle.
func newEnforcedWorld(t *testing.T, l layout, pair [2]string) (w *world, a, b *entity.Table) {
	t.Helper()
	db := ddbtest.Start(t)
	w = &world{layout: &l, types: l.types(), record: &recorder{layout: &l, values: map[string]bool{}}}
	w.raw = db.Client(w.record.options)
	table := w.types.open(t, w.raw, "photos")
	require.NoError(t, table.Create(t.Context()))
	name := "photos"
	described, err := w.raw.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &name})
	require.NoError(t, err)
	restricted := func(tenant string) *entity.Table {
		p, err := schema.TenantPolicy(w.types.schema, schema.PolicyConfig{TableARN: *described.Table.TableArn, Tenant: tenant})
		require.NoError(t, err)
		return w.types.open(t, db.Client(w.record.options, db.WithPolicy(ddbtest.Policy{Document: p.Document})), "photos")
	}
	a, b = restricted(pair[0]), restricted(pair[1])
	w.all, w.a, w.b = w.types.service(table), w.types.service(a.Tenant(pair[0])), w.types.service(b.Tenant(pair[1]))
	return w, a, b
}

// enforceable returns two tenants that policies can hold.
func enforceable(r *rand.Rand, l *layout) [2]string {
	for {
		if pair := pairs(r, l); l.escape || !slices.Contains(pair[:], "\x00") {
			return pair
		}
	}
}

func isDenied(err error) bool {
	var e smithy.APIError
	return errors.As(err, &e) && e.ErrorCode() == "AccessDeniedException"
}

// rowsOf returns the stored items of a tenant.
func (w *world) rowsOf(t *testing.T, tenant string) []map[string]sdk.AttributeValue {
	t.Helper()
	return slices.DeleteFunc(w.rows(t), func(item map[string]sdk.AttributeValue) bool {
		return !w.layout.owns(tenant, item["PK"].(*sdk.AttributeValueMemberS).Value)
	})
}

// The policy of a tenant allows each request of its handle.
func TestRandom_enforced(t *testing.T) {
	t.Parallel()
	for _, l := range layouts() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r, res := testrand.New(t), newRun()
			for range testsize.Pick(2, 6, 1_000) {
				pair := enforceable(r, &l)
				w, _, _ := newEnforcedWorld(t, l, pair)
				w.seed(t)
				random(t, r, w, pair, 500, false, res)
				require.Empty(t, res.violations)
				clear(res.inputs)
			}
			require.Zero(t, res.denied)
			require.Greater(t, sum(res.ok), 100)
			require.Greater(t, sum(res.refused), 50)
		})
	}
}

// A service without handles reads and changes nothing of another tenant, because the policy refuses
// its requests. The control is the same service with a client without a policy.
func TestRandom_enforcedControl(t *testing.T) {
	t.Parallel()
	for _, l := range layouts() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r := testrand.New(t)
			pair := enforceable(r, &l)
			w, restricted, _ := newEnforcedWorld(t, l, pair)
			w.seed(t)
			denied, crossed := w.naive(t, r, restricted, pair)
			require.Positive(t, denied)
			require.Zero(t, crossed)
			denied, crossed = w.naive(t, r, w.all.table, pair)
			require.Zero(t, denied)
			require.Positive(t, crossed)
		})
	}
}

// naive makes at least 150 random calls of a service that has no handle, until one is denied, or
// returns or changes items of the other tenant. It returns the numbers of both.
func (w *world) naive(t *testing.T, r *rand.Rand, table *entity.Table, pair [2]string) (denied, crossed int) {
	t.Helper()
	c := &caller{r: r, s: w.types.service(table), me: pair[0], other: pair[1], naive: true, cursors: map[string]string{}}
	names := slices.Sorted(maps.Keys(calls))
	for n := range 3000 {
		if n >= 150 && denied+crossed > 0 {
			break
		}
		before := w.rowsOf(t, pair[1])
		c.results = nil
		if isDenied(calls[names[r.IntN(len(names))]](t.Context(), c)) {
			denied++
		}
		w.record.take()
		if slices.Contains(c.results, pair[1]) || !reflect.DeepEqual(before, w.rowsOf(t, pair[1])) {
			crossed++
		}
	}
	return denied, crossed
}

// The policy refuses a request of a handle that is changed after its last check.
func TestEnforced_changedRequest(t *testing.T) {
	t.Parallel()
	for _, l := range layouts() {
		w, _, _ := newEnforcedWorld(t, l, [2]string{"a", "ab"})
		w.seed(t)
		w.record.change = func(in any) {
			if get, ok := in.(*dynamodb.GetItemInput); ok {
				get.Key["PK"] = &sdk.AttributeValueMemberS{Value: l.key("T#ab#A#1")}
			}
		}
		_, err := w.a.albums.Get(t.Context(), album{ID: "1"})
		require.True(t, isDenied(err), "%v", err)
		_, err = w.b.albums.Get(t.Context(), album{ID: "2"})
		require.NoError(t, err, "the control: the request is one of the other tenant")
	}
}
