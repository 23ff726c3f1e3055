package entity_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/tx"
)

// damaged is a club whose guards are damaged at random, and then repaired beside writers.
type damaged struct {
	*club
	rnd   *rand.Rand
	fresh atomic.Int64 // for values that no item has had
	twice bool         // some items have the value of another one
	kinds map[string]int
}

func (d *damaged) value() string { return fmt.Sprintf("v%d", d.fresh.Add(1)) }

func (d *damaged) newMember(id string) *member {
	return &member{ID: id, Email: d.value() + "@example.com", Login: d.value(), Club: "chess", Seat: d.value()}
}

// furnish stores items with distinct values.
func (d *damaged) furnish(t testing.TB) {
	t.Helper()
	d.clock.seconds.Store(50 * 365 * 24 * 3600) // the engine's clock must not delete the items
	ctx := context.WithoutCancel(t.Context())
	for i := range 5 + d.rnd.IntN(8) {
		require.NoError(t, d.members.Create(ctx, d.newMember(fmt.Sprint(i))))
	}
	for i := range 3 {
		g := guest{ID: fmt.Sprint(i), Phone: d.fresh.Add(1), Expires: d.clock.now().Add(time.Hour)}
		require.NoError(t, d.guests.Create(ctx, &g))
	}
}

// damage changes guards and items as programs without the library would.
func (d *damaged) damage(t testing.TB) {
	t.Helper()
	items := d.scan(t)
	random := func() avMap { return items[d.rnd.IntN(len(items))] }
	for _, item := range items {
		partition := textOf(item["PK"])
		isGuard := strings.HasPrefix(partition, "$U")
		kind := d.rnd.IntN(16)
		var what string
		switch {
		case isGuard && kind == 0:
			what = "deleted"
			d.deleteItem(t, partition)
		case isGuard && kind == 1:
			what = "owner"
			other := random()
			d.putItem(t, item, avMap{"_owner": ownerAV(textOf(other["PK"]), textOf(other["SK"]))})
		case isGuard && kind == 2:
			what = "no owner"
			d.putItem(t, item, avMap{"_owner": nil})
		case isGuard && kind == 3:
			what = "another value"
			d.moveItem(t, partition, avMap{"PK": avS(partition + "x")})
		case isGuard && kind == 4:
			what = "another key"
			d.putItem(t, item, avMap{"SK": avS("another spelling")})
		case isGuard && kind == 5:
			what = "expiry"
			d.putItem(t, item, avMap{"expires": avN("99999999999")})
		case isGuard && kind == 6:
			what = "left over"
			d.putItem(t, item, avMap{"PK": avS(partition + "x")})
		case !isGuard && kind == 0:
			what = "item deleted"
			d.deleteItem(t, partition)
		case !isGuard && kind == 1:
			what = "item changed"
			d.putItem(t, item, avMap{"email": avS(d.value()), "phone": nil})
		case !isGuard && kind < 5 && d.twice:
			what = "value twice"
			d.putItem(t, item, avMap{"PK": avS(partition + "x")})
		default:
			continue
		}
		d.kinds[what]++
	}
}

// write makes random writes until the repair is done.
func (d *damaged) write(ctx context.Context, rnd *rand.Rand, done *atomic.Bool) error {
	for !done.Load() {
		m, g := member{ID: fmt.Sprint(rnd.IntN(14))}, guest{ID: fmt.Sprint(rnd.IntN(4))}
		current, err := d.members.Strong().Get(ctx, m)
		if err == nil || errors.Is(err, trestle.ErrNotFound) {
			switch rnd.IntN(9) {
			case 0:
				err = d.members.Create(ctx, d.newMember(m.ID))
			case 1:
				_, err = d.members.Update(ctx, m, memEmail.Set(d.value()))
			case 2:
				_, err = d.members.Update(ctx, m, memLogin.Remove(), memSeat.Set(d.value()))
			case 3:
				current.ID, current.Note = m.ID, "put"
				err = d.members.Put(ctx, &current)
			case 4:
				err = d.members.Delete(ctx, m)
			case 5:
				moved := current
				moved.ID = fmt.Sprint(rnd.IntN(14))
				if moved.ID != m.ID {
					_, err = tx.Move(d.members, m, &moved).Do(ctx)
				}
			case 6:
				_, err = d.guests.Update(ctx, g, guestExpires.Set(d.clock.now().Add(time.Duration(1+rnd.IntN(3))*time.Hour)))
			case 7:
				_, err = d.guests.Update(ctx, g, guestPhone.Set(d.fresh.Add(1)))
			case 8:
				_, err = d.members.Update(ctx, m, memNote.Set("note"))
			}
		}
		if trestle.OutcomeOf(err) == trestle.Applied {
			continue // another writer deleted the item before it could be returned
		}
		if e := (*trestle.OpError)(nil); !errors.As(err, &e) || e.Kind == nil || errors.Is(err, trestle.ErrInvalid) {
			return err
		}
	}
	return nil
}

// repair runs RepairGuards beside writers. It returns what is wrong afterwards.
func (d *damaged) repair(t testing.TB, writers int) string {
	t.Helper()
	d.kinds = map[string]int{}
	d.furnish(t)
	d.damage(t)
	require.Equal(t, d.problems(t), listed(t, testchecks.Guards(t.Context(), d.table)))
	var done atomic.Bool
	var wg sync.WaitGroup
	failed := make([]error, writers)
	for i := range failed {
		rnd := rand.New(rand.NewPCG(d.rnd.Uint64(), 0))
		wg.Go(func() { failed[i] = d.write(t.Context(), rnd, &done) })
	}
	_, err := maintain.RepairGuards(t.Context(), d.table, maintain.Run{})
	done.Store(true)
	wg.Wait()
	require.NoError(t, errors.Join(failed...))
	if !d.twice {
		require.NoError(t, err)
	} else { // an item can lose the value that it shared after it was checked
		_, err = maintain.RepairGuards(t.Context(), d.table, maintain.Run{})
		listed(t, err)
	}
	left := d.problems(t)
	require.Equal(t, left, listed(t, testchecks.Guards(t.Context(), d.table)))
	if d.twice {
		left = slices.DeleteFunc(left, func(p string) bool { return strings.Contains(p, maintain.ValueTwice.String()) })
	}
	return strings.Join(left, ", ")
}

// After a repair beside writers, all guards are right, except those of values that two items have.
func TestRepairBesideWriters(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	schema := newClubSchema()
	kinds := map[string]int{}
	for i := range testsize.Pick(4, 12, 2_000) {
		synctest.Test(t, func(t *testing.T) {
			db := ddbtest.New(ddbtest.Options{Seed: seed + uint64(i)})
			defer db.Close()
			d := &damaged{club: schema.open(t, db.Client(), db.Client()), rnd: rand.New(rand.NewPCG(seed, uint64(i))), twice: i%3 == 0}
			require.NoError(t, d.table.Create(t.Context()))
			db.Fail(ddbtest.Delay(time.Millisecond), ddbtest.Rate(0.7), ddbtest.Op("GetItem", "PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "TransactGetItems", "BatchGetItem", "Scan"))
			require.Empty(t, d.repair(t, 4), "run %d", i)
			for kind, n := range d.kinds {
				kinds[kind] += n
			}
		})
	}
	t.Log(kinds)
	require.Greater(t, len(kinds), 5)
}

// The same on every engine.
func TestRepairBesideWritersOnEngines(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		seed := testrand.Seed(t)
		for i := range testsize.Pick(2, 4, 20) {
			d := &damaged{club: newClub(t, e.Client(t)), rnd: rand.New(rand.NewPCG(seed, uint64(i))), twice: i%3 == 0}
			require.NoError(t, d.table.Create(t.Context()))
			require.Empty(t, d.repair(t, 3), "run %d", i)
		}
	})
}

// The dry run of a repair counts what the repair changes, and lists the problems that it leaves.
// The control is a dry run of the table before it was damaged.
func TestDryRunPredictsTheRepair(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	schema := newClubSchema()
	counts := func(r maintain.Report) []int { return []int{r.Items, r.Created, r.Corrected, r.Deleted} }
	unlike := 0
	for i := range testsize.Pick(10, 100, 10_000) {
		client := ddbtest.New(ddbtest.Options{Seed: seed + uint64(i)}).Client()
		d := &damaged{club: schema.open(t, client, client), rnd: rand.New(rand.NewPCG(seed, uint64(i))), twice: i%2 == 0, kinds: map[string]int{}}
		require.NoError(t, d.table.Create(t.Context()))
		d.furnish(t)
		before, err := maintain.RepairGuards(t.Context(), d.table, maintain.Run{DryRun: true})
		require.NoError(t, err)
		d.damage(t)
		dry, err := maintain.RepairGuards(t.Context(), d.table, maintain.Run{DryRun: true})
		found := listed(t, err)
		report, err := maintain.RepairGuards(t.Context(), d.table, maintain.Run{})
		require.Equal(t, counts(report), counts(dry), "run %d: %v", i, d.kinds)
		require.Subset(t, found, listed(t, err), "run %d", i)
		require.Len(t, found, dry.Created+dry.Corrected+dry.Deleted+report.Left, "run %d", i)
		if !slices.Equal(counts(before), counts(report)) {
			unlike++
		}
	}
	require.Positive(t, unlike)
}

// interrupted is a client of a repair. Another writer acts between what the repair reads and what
// it writes.
type interrupted struct {
	*dynamodb.Client
	other         func()
	unconditional bool // the repair is sent without its conditions
	after         func()
}

func (r *interrupted) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if r.other != nil {
		r.other()
		r.other = nil
	}
	if r.unconditional {
		first := in.TransactItems[0]
		if p := first.Put; p != nil {
			p.ConditionExpression, p.ExpressionAttributeNames, p.ExpressionAttributeValues = nil, nil, nil
		} else {
			first.Delete.ConditionExpression, first.Delete.ExpressionAttributeNames, first.Delete.ExpressionAttributeValues = nil, nil, nil
		}
		in.TransactItems = in.TransactItems[:1]
	}
	out, err := r.Client.TransactWriteItems(ctx, in, o...)
	r.after()
	return out, err
}

// A repair loses to a writer that changes the item at the same time. The negative control sends the
// repair without its conditions.
func TestRepairLosesToAWriter(t *testing.T) {
	t.Parallel()
	eachClub(t, func(t *testing.T, c *club) {
		ctx := t.Context()
		const address = "ann@example.com"
		rename := func(email string) {
			_, err := c.members.Update(ctx, member{ID: "ann"}, memEmail.Set(email))
			require.NoError(t, err)
		}
		for name, scene := range map[string]struct {
			damage, other func()
			naive         string // the problem after a repair without conditions
		}{
			"the item loses the value": {
				func() { c.deleteItem(t, emailGuard+address) },
				func() { rename("new@example.com") },
				"member email: no item has the value of a guard " + emailGuard + address,
			},
			"the item gets the value": {
				func() {
					guard := c.item(t, emailGuard+address)
					rename("new@example.com")
					c.putItem(t, guard, nil)
				},
				func() { rename(address) },
				"member email: an item has no guard for its value M#ann",
			},
		} {
			for _, unconditional := range []bool{false, true} {
				require.NoError(t, c.members.Overwrite(ctx, &member{ID: "ann", Email: address}))
				_, err := maintain.RepairGuards(ctx, c.table, maintain.Run{})
				require.NoError(t, err)
				scene.damage()
				var seen [][]string
				r := &interrupted{Client: c.client, other: scene.other, unconditional: unconditional}
				r.after = func() { seen = append(seen, c.problems(t)) }
				_, err = maintain.RepairGuards(ctx, newClubSchema().open(t, c.client, r).table, maintain.Run{})
				require.NoError(t, err)
				want := []string(nil)
				if unconditional {
					want = []string{scene.naive}
				}
				require.Equal(t, want, seen[0], "%s, unconditional %t", name, unconditional)
			}
		}
	})
}
