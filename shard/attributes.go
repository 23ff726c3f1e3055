package shard

// The attributes of the items of counters.
const (
	attrValue  = "n"      // of a shard, a marker, an event and a writer's item: the number
	attrClosed = "closed" // of a shard and a writer's item: nothing may be added any more
	attrMoves  = "moves"  // of a shard: how often its value was moved to the total item

	attrShards = "shards" // of the total item: the number of shards for increments
	attrForm   = "form"   // where the values are: in shards, events or items of Writers
	attrMax    = "max"    // the number of shards that readers read
	attrEpoch  = "epoch"  // changes with each resize and each move
	attrMoved  = "moved"  // the number of moves of each shard
	attrBase   = "base"   // the sum of the moved values
	attrTotal  = "total"  // the value of the last roll-up
	attrAsOf   = "asof"   // its time, in nanoseconds since 1970
	attrPast   = "past"   // the former numbers of shards
	attrGrown  = "grown"  // when the number was doubled last, in nanoseconds since 1970

	attrWriters = "writers" // of the total item: the IDs of the writers whose items are read
	attrSeq     = "seq"     // of a writer's item: the number of the flush
	attrFolded  = "folded"  // of a closed writer's item: the value that was moved

	attrShard = "shard" // of a marker: the shard that has its number
	attrAt    = "at"    // of an event: when it was stored, in nanoseconds since 1970
)

// ownAttributes are the attributes above.
var ownAttributes = []string{
	attrValue, attrClosed, attrMoves, attrShards, attrForm, attrMax, attrEpoch, attrMoved, attrBase, attrTotal, attrAsOf, attrPast, attrGrown, attrShard, attrAt, attrWriters, attrSeq, attrFolded,
}
