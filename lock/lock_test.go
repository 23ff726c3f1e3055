package lock_test

import (
	"errors"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/tx"
)

// A lock has one holder, until it is released.
func TestLock(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		alice, bob := newPrograms(t, e.Client(t))
		first, err := alice.locks(lock.Config{}).TryAcquire(ctx, "a")
		require.NoError(t, err)
		require.True(t, first.Held())
		require.Equal(t, "a", first.Name())
		require.WithinDuration(t, time.Now().Add(30*time.Second), first.Until(), 10*time.Second)

		_, err = bob.locks(lock.Config{}).TryAcquire(ctx, "a")
		require.ErrorIs(t, err, lock.ErrHeld)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		other, err := bob.locks(lock.Config{}).TryAcquire(ctx, "b")
		require.NoError(t, err)
		require.True(t, other.Held(), "another name is another lock")

		state, err := bob.locks(lock.Config{}).Read(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, first.Fence(), state.Fence)
		require.True(t, first.Until().Equal(state.Until))

		require.NoError(t, first.Release(ctx))
		require.NoError(t, first.Release(ctx), "again")
		require.False(t, first.Held())
		state, err = bob.locks(lock.Config{}).Read(ctx, "a")
		require.NoError(t, err)
		require.Zero(t, state.Until)

		second, err := bob.locks(lock.Config{}).TryAcquire(ctx, "a")
		require.NoError(t, err)
		require.Greater(t, second.Fence(), first.Fence())
		require.ErrorIs(t, first.Release(ctx), lock.ErrLost)
		require.ErrorIs(t, first.Renew(ctx), lock.ErrLost)
		require.True(t, second.Held())
	})
}

// When a lease has ended, and the largest difference between clocks has passed, another program
// acquires the lock. The former holder then writes nothing that depends on the lock.
func TestLeaseEnds(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		alice, bob := newPrograms(t, e.Client(t))
		config := lock.Config{Lease: time.Minute, Skew: 10 * time.Second}
		first, err := alice.locks(config).TryAcquire(ctx, "a")
		require.NoError(t, err)
		write := func(p *program, held *lock.Lease) error {
			_, err := p.pages.In(p.table).Upsert(ctx, page{ID: "p"}, fence.Set(held.Fence()))
			require.NoError(t, err)
			return tx.Write(ctx, held.Check(), p.pages.In(p.table).Op().Upsert(page{ID: "p"}, attr.Add(visits, 1)))
		}
		require.NoError(t, write(alice, first))

		bob.sleeps(65 * time.Second)
		_, err = bob.locks(config).TryAcquire(ctx, "a")
		require.ErrorIs(t, err, lock.ErrHeld, "the clocks may differ")
		alice.sleeps(30 * time.Second)
		require.NoError(t, first.Renew(ctx))
		bob.sleeps(9 * time.Second)
		_, err = bob.locks(config).TryAcquire(ctx, "a")
		require.ErrorIs(t, err, lock.ErrHeld, "it was renewed")

		alice.sleeps(2 * time.Minute)
		require.False(t, first.Held())
		require.NoError(t, write(alice, first), "nobody else has the lock")
		require.NoError(t, first.Renew(ctx), "nor now")
		require.True(t, first.Held())

		bob.sleeps(time.Hour)
		second, err := bob.locks(config).TryAcquire(ctx, "a")
		require.NoError(t, err)
		require.Greater(t, second.Fence(), first.Fence())
		require.ErrorIs(t, write(alice, first), lock.ErrLost)
		require.ErrorIs(t, tx.Write(ctx, first.Check()), lock.ErrLost, "the check alone")
		require.NoError(t, write(bob, second))
		got, err := bob.pages.In(bob.table).Get(ctx, page{ID: "p"})
		require.NoError(t, err)
		require.EqualValues(t, 3, got.Visits)

		_, err = bob.pages.In(bob.table).Update(ctx, page{ID: "p"}, fence.Set(first.Fence()), attr.If(attr.Not(fence.Gt(first.Fence()))))
		require.ErrorIs(t, err, trestle.ErrCondition, "the fence as a condition of a write")
		_, err = bob.pages.In(bob.table).Update(ctx, page{ID: "p"}, fence.Set(second.Fence()), attr.If(attr.Not(fence.Gt(second.Fence()))))
		require.NoError(t, err)
		_, err = bob.pages.In(bob.table).Update(ctx, page{ID: "p"}, fence.Remove())
		require.NoError(t, err)
		_, err = bob.pages.In(bob.table).Update(ctx, page{ID: "p"}, fence.Set(first.Fence()), attr.If(attr.Not(fence.Gt(first.Fence()))))
		require.NoError(t, err, "an item without a fence")
	})
}

// The item of a lock is kept longer than its lease. If DynamoDB deletes it, the next fence is still
// greater.
func TestDeletedLock(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		client := e.Client(t)
		alice, bob := newPrograms(t, client)
		var last int64
		var until time.Time
		for range 3 {
			held, err := alice.locks(lock.Config{Keep: 48 * time.Hour}).TryAcquire(ctx, "a")
			require.NoError(t, err)
			last, until = held.Fence(), held.Until()
			require.NoError(t, held.Release(ctx))
			alice.sleeps(time.Second)
		}
		_, err := alice.locks(lock.Config{Keep: 48 * time.Hour}).TryAcquire(ctx, "b")
		require.NoError(t, err)
		stored, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("app")})
		require.NoError(t, err)
		require.Len(t, stored.Items, 2)
		for _, i := range stored.Items {
			expires, err := strconv.ParseInt(i["expires"].(*types.AttributeValueMemberN).Value, 10, 64)
			require.NoError(t, err)
			require.WithinDuration(t, until.Add(48*time.Hour), time.Unix(expires, 0), time.Minute)
			require.Equal(t, &types.AttributeValueMemberS{Value: reserved.LockType}, i[reserved.TypeAttribute])
			_, err = client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("app"), Key: map[string]types.AttributeValue{"PK": i["PK"], "SK": i["SK"]}})
			require.NoError(t, err)
		}
		bob.sleeps(50 * time.Hour)
		held, err := bob.locks(lock.Config{}).TryAcquire(ctx, "a")
		require.NoError(t, err)
		require.Greater(t, held.Fence(), last)
	})
}

// Each reply is lost once. The holder recognizes its own write.
func TestLostReplies(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	ctx := t.Context()
	alice, bob := newPrograms(t, db.Client())
	lose := func(n int) {
		db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Nth(n), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
	}
	lose(1)
	held, err := alice.locks(lock.Config{}).TryAcquire(ctx, "a")
	require.NoError(t, err)
	lose(1)
	require.NoError(t, held.Renew(ctx))
	lose(1)
	require.NoError(t, held.Release(ctx))
	db.ClearFaults()
	next, err := bob.locks(lock.Config{}).TryAcquire(ctx, "a")
	require.NoError(t, err)
	require.Equal(t, held.Fence()+1, next.Fence(), "nothing was applied twice")

	lose(1)
	_, err = alice.locks(lock.Config{}).TryAcquire(ctx, "a")
	require.ErrorIs(t, err, lock.ErrHeld)
	require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), "whatever the reply was that was lost")
	db.ClearFaults()

	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
	_, err = bob.locks(lock.Config{}).TryAcquire(ctx, "b")
	require.ErrorIs(t, err, trestle.ErrUnknown)
	require.ErrorIs(t, next.Renew(ctx), trestle.ErrUnknown)
	err = next.Release(ctx)
	require.True(t, err == nil || errors.Is(err, trestle.ErrUnknown), "%v", err)
}

// A renewal that arrives again, after a later one, does not shorten the lease.
func TestLateRenewal(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	ctx := t.Context()
	alice, bob := newPrograms(t, db.Client())
	config := lock.Config{Lease: time.Minute, Skew: time.Millisecond}
	held, err := alice.locks(config).TryAcquire(ctx, "a")
	require.NoError(t, err)
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Nth(1), ddbtest.LateDuplicateAfterWrite).MustHit(t)
	require.NoError(t, held.Renew(ctx))
	alice.sleeps(50 * time.Second)
	require.NoError(t, held.Renew(ctx))
	db.DeliverLate()
	bob.sleeps(80 * time.Second)
	require.True(t, held.Held())
	_, err = bob.locks(config).TryAcquire(ctx, "a")
	require.ErrorIs(t, err, lock.ErrHeld)
	state, err := bob.locks(config).Read(ctx, "a")
	require.NoError(t, err)
	require.True(t, held.Until().Equal(state.Until))
}

// A lease ends at the latest of the times of its renewals: one that comes back from a clock that
// was set back, or whose reply comes late, changes nothing.
func TestEarlierRenewal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		ctx := t.Context()
		alice, bob := newPrograms(t, db.Client())
		config := lock.Config{Lease: time.Minute}
		held, err := alice.locks(config).TryAcquire(ctx, "a")
		require.NoError(t, err)
		requireUntil := func(until time.Time) {
			require.Equal(t, until.UTC(), held.Until().UTC())
			state, err := bob.locks(config).Read(ctx, "a")
			require.NoError(t, err)
			require.Equal(t, until.UTC(), state.Until)
		}
		alice.sleeps(50 * time.Second)
		require.NoError(t, held.Renew(ctx))
		until := alice.now().Add(time.Minute)
		alice.sleeps(-20 * time.Second)
		require.NoError(t, held.Renew(ctx))
		requireUntil(until)

		alice.sleeps(time.Minute)
		db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Nth(1), ddbtest.AfterCommit(ddbtest.Delay(5*time.Second))).MustHit(t)
		slow := make(chan error)
		go func() { slow <- held.Renew(ctx) }()
		pass(time.Second)
		require.NoError(t, held.Renew(ctx))
		until = alice.now().Add(time.Minute)
		require.NoError(t, <-slow)
		requireUntil(until)
	})
}

// An acquisition that arrives again after the release begins a lease that nobody holds. It has the
// owner of the released lease and a greater fence, so the released lease stays lost.
func TestLateAcquisition(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	ctx := t.Context()
	alice, bob := newPrograms(t, db.Client())
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Nth(1), ddbtest.LateDuplicateAfterWrite).MustHit(t)
	held, err := alice.locks(lock.Config{}).TryAcquire(ctx, "a")
	require.NoError(t, err)
	require.NoError(t, held.Release(ctx))
	db.DeliverLate()
	require.ErrorIs(t, held.Renew(ctx), lock.ErrLost)
	require.False(t, held.Held())
	require.ErrorIs(t, tx.Write(ctx, held.Check(), alice.pages.In(alice.table).Op().Create(&page{ID: "p"})), lock.ErrLost)
	require.ErrorIs(t, held.Release(ctx), lock.ErrLost)
	state, err := bob.locks(lock.Config{}).Read(ctx, "a")
	require.NoError(t, err)
	require.Equal(t, held.Fence()+1, state.Fence)
	bob.sleeps(time.Minute)
	next, err := bob.locks(lock.Config{}).TryAcquire(ctx, "a")
	require.NoError(t, err, "it ends by itself")
	require.Greater(t, next.Fence(), state.Fence)
}

// Each call costs what its comment says.
func TestCost(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	ctx := t.Context()
	alice, bob := newPrograms(t, db.Client())
	units := func(f func() error) (read, write float64) {
		before := db.Cost()
		require.NoError(t, f())
		after := db.Cost()
		return after.ReadUnits - before.ReadUnits, after.WriteUnits - before.WriteUnits
	}
	var held *lock.Lease
	for _, step := range []struct {
		name        string
		read, write float64
		call        func() error
	}{
		{"acquire", 0, 1, func() (err error) { held, err = alice.locks(lock.Config{}).TryAcquire(ctx, "a"); return err }},
		{"held", 0, 1, func() error {
			_, err := bob.locks(lock.Config{}).TryAcquire(ctx, "a")
			require.ErrorIs(t, err, lock.ErrHeld)
			return nil
		}},
		{"renew", 0, 1, func() error { return held.Renew(ctx) }},
		{"read", 1, 0, func() error { _, err := bob.locks(lock.Config{}).Read(ctx, "a"); return err }},
		{"check", 0, 4, func() error {
			return tx.Write(ctx, held.Check(), alice.pages.In(alice.table).Op().Create(&page{ID: "p"}))
		}},
		{"release", 0, 1, func() error { return held.Release(ctx) }},
	} {
		read, write := units(step.call)
		require.InDelta(t, step.read, read, 0, step.name)
		require.InDelta(t, step.write, write, 0, step.name)
	}
}
