// Package shard counts exactly, at a higher rate than one item can: the value of a counter is the
// sum of up to 1000 shards, in partitions of their own. An increment that is repeated after a lost
// reply counts once. A total is exact while others add, resize and drain.
//
//	votes := shard.NewCounters(table, "votes", shard.Config{Shards: shard.For(2*20_000, 100)})
//
//	err := votes.Add(ctx, "candidate-a", 1, shard.Once(voterID))
//	total, err := votes.Total(ctx, "candidate-a")
//
// [Counters] are the counters of a family; each has a name. The [Mode] of the [Config] determines
// whether a repeated increment counts once, and what an increment costs in write units:
//
//	ExactForever   4   once, as long as its marker exists    votes, payments, limits
//	ExactWindow    2   once within 10 minutes                calls that are retried
//	Approximate    1   ErrUnknown if a reply is lost         likes, views
//	Events         1   once, and an audit list               few increments per counter
//	WriterOwned    1   for each flush, any number of them    very high rates
//
// # Increments
//
// [Counters.Add] adds to a counter, and [Once] identifies an increment. [Counters.Op] is an
// increment as a part of a transaction. A [Writer] counts in memory.
//
// Create the key of an increment before the first attempt, and store it with the request of the
// caller, so that a repetition has the same key. Each counter has its own keys: the key of a voter
// counts once for each candidate. For one vote in each poll, store an entity of the voter in the
// same transaction:
//
//	err := tx.Write(ctx, ballots.Op().Create(&Ballot{Poll: poll, Voter: voter}),
//		votes.Op(candidate, 1, shard.Once(voter)))
//
// The error is [trestle.ErrExists] if the voter has voted; after [trestle.ErrUnknown], repeat the
// transaction or read the entity.
//
// Values can be negative. While others add and subtract, a total can then be any sum of the
// increments that overlap with it. To keep a value within a limit, such as 100 seats, use
// [Bounded].
//
// # Limits
//
// [Bounded] are counters with a limit. [Bounded.SetLimit] sets it, [Bounded.Take] takes from it,
// once for each key, and [Bounded.Return] gives back what a key took. The limit is divided among
// shards, which lease quota from a pool. Never more than the limit is taken, and all of it can be
// taken.
//
// # Reads
//
//	Total, Totals       fresh: all shards, strongly consistent
//	Snapshot            of one moment: one transaction, up to 100 shards
//	Cached, TopCached   of the last RollUp, with its time; half a read unit
//	Top, Names          of the whole family
//	ShardValues         of each shard, to see how even they are
//
// [Counters.RollUp] stores the total for [Counters.Cached]. Call it at intervals, in any number of
// programs. The stored total is never one of the shards.
//
// # Shards
//
// All shards are read for a total, so choose no more than needed: [For] computes the number for a
// rate. The first program that uses a counter determines its number, and [Counters.Resize] changes
// it at any time. With MaxShards of the [Config], a counter doubles its shards when DynamoDB
// throttles one. DynamoDB gives no more than the code of the reason if it throttles a transaction,
// so in the modes ExactForever and ExactWindow a counter also grows if the whole table is
// throttled. [Counters.Drain] moves the values of the shards to the total item. Counters with
// numbered shards never need it; in mode WriterOwned, it removes the items of Writers that have
// ended, which every reader reads.
//
// Every step of a resize and of a drain is a write with conditions, or a transaction, so a program
// can crash at any of them. The counter is exact afterwards, and another call continues.
//
// # Stored items
//
// The items are next to those of the entities, in the same table. Queries and scans of package
// query skip them. Their partition keys begin with $U#count (shards, total items and items of
// Writers), $U#mark (markers), $U#event, $U#names, and $U#limit and $U#taken ([Bounded]). Only this
// package writes them. A table that already has counters can keep its keys and attributes: see
// [Keys].
//
// # Global tables
//
// In a global table that is eventually consistent, each Region counts in items of its own, if
// Region and Regions of the [Config] are set: concurrent writes of one item in two Regions would
// overwrite each other. The modes Approximate, Events and WriterOwned work there. A total sums all
// Regions, and those of other Regions may lag. A key of mode Events counts once within a Region.
//
// What needs a transaction is refused there, and with MultiRegionStrong: the modes ExactForever and
// ExactWindow, [Counters.Snapshot], [Counters.Drain], a Resize to fewer shards, and [Bounded].
package shard
