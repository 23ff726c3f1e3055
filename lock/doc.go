// Package lock lets one of several programs do something at a time. A lock has a name, and a lease:
// it is free again when its holder releases it, or when the lease ends without a renewal, because
// the holder crashed.
//
//	locks := lock.New(table, "reports", lock.Config{Lease: time.Minute})
//
//	err := locks.Do(ctx, "2026-08", func(ctx context.Context, held *lock.Lease) error {
//		report, err := build(ctx)
//		if err != nil {
//			return err
//		}
//		return tx.Write(ctx, held.Check(), reports.Op().Put(report))
//	})
//
// # A lock alone protects nothing
//
// A program can stop for longer than its lease, for example while its machine is suspended, and
// then go on, although another holder has the lock. No lock service can prevent this. What a
// holder writes must therefore depend on the lock:
//
//   - [Lease.Check] is a condition check for [tx.Write]: the transaction is applied only if the
//     lock is still held under this lease.
//   - [Lease.Fence] is a number that grows with each lease of a name. Store it with what the holder
//     writes, and write on the condition that the stored number is not greater:
//     attr.If(attr.Not(Fence.Gt(held.Fence()))). This also holds for an item without a number, and
//     for one that does not exist; Fence.Le does not. A write of a former holder fails with
//     [trestle.ErrCondition]. A fence also works in a system that is not DynamoDB.
//
// # One after the other, or one only
//
// [Locks.Do] waits until the lock is free: programs that call it run their functions one after the
// other. [Locks.TryDo] returns [ErrHeld] at once if another holder has the lock, for a job that one
// of the programs should run.
//
// TryDo alone does not run a job once a day: a program that comes after the job has ended finds the
// lock free, and runs it again. Give the lock and an item of the service the name of the day. The
// function begins with a strong Get of the item, and ends at once if it is there. It creates the
// item in the transaction of the job, with [Lease.Check]. Create returns [trestle.ErrExists] if
// another program has run the job meanwhile; the example of TryDo on pkg.go.dev shows it.
//
// # Tenants
//
// The locks of a tenant's handle are those of the tenant. A transaction has operations of one
// handle only, so make the locks and the repositories of the same handle if you use [Lease.Check].
// For a job over all tenants, make both of the table itself, and set the tenant in each entity. Or
// make only the locks of the table itself, write with the handles of the tenants, and use
// [Lease.Fence].
//
// # Time
//
// The lease ends at a time of the holder's clock. Others compare it with their own clocks and add
// Skew of the [Config], the largest difference between two clocks. If the clocks differ by more,
// two programs can hold a lock at the same time; Check and Fence still tell them apart.
//
// The package never relies on time to live. DynamoDB deletes an expired item within days; if the
// schema has a TTL attribute, the items of locks that nobody uses are deleted after Keep of the
// [Config].
//
// On a global table, each Region has its own copy of a lock for a moment: use locks in one Region
// only.
package lock
