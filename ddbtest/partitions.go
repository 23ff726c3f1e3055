package ddbtest

import (
	"fmt"
	"math"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/sdkvalue"
)

// PartitionLoad is the peak load of one partition within one second of the database's clock. A
// partition holds the items of a table, or the entries of an index, with one partition key. The
// load of a local index counts for the table's partitions.
type PartitionLoad struct {
	Table, Index string
	Key          map[string]types.AttributeValue // nil if the partition is empty now
	Read, Write  float64
}

// HotPartitions returns the n partitions with the highest load, the highest first. It ignores
// scans, because they load all partitions alike.
func (db *DB) HotPartitions(n int) []PartitionLoad {
	db.test().Helper()
	_ = db.checkPlace()
	db.runDue()
	peaks := db.loads.Peaks(n)
	loads := make([]PartitionLoad, len(peaks))
	for i, p := range peaks {
		loads[i] = PartitionLoad{Table: p.Table, Index: p.Index, Read: p.Read, Write: p.Write}
		if p.Key != nil {
			loads[i].Key = sdkvalue.Attributes(p.Key)
		}
	}
	return loads
}

// LimitPartitions throttles partitions that use more than these units per second. The limit of
// DynamoDB is Units{Read: 3000, Write: 1000}. A limit of 0 means no limit. A request is served
// while its partition has capacity left. It may use more than is left, and the debt is repaid as
// time passes. Unused capacity is kept for at most one second.
//
// Writes are throttled for the table's partition and for the partitions of global indexes that are
// known beforehand: that of the old entry and that of a put's new entry. In a batch, the parts on a
// throttled partition are unprocessed; if these are all parts, the whole request fails. A
// transaction is canceled. Only the clock restores capacity. Inside a bubble of testing/synctest,
// time passes only by the waits of the test and the client's backoff.
func (db *DB) LimitPartitions(perSecond Units) {
	db.test().Helper()
	if err := perSecond.checkLimit(); err != nil {
		db.report(fmt.Errorf("LimitPartitions: %w", err))
		return
	}
	if db.checkPlace() != nil {
		return
	}
	db.loads.SetLimit(capacity.Units(perSecond))
}

// PartitionLimit returns the limit of one partition in units per second. 0 means no limit.
func (db *DB) PartitionLimit() Units { return Units(db.loads.Limit()) }

func (u Units) checkLimit() error {
	if !(u.Read >= 0 && u.Write >= 0) || math.IsInf(u.Read+u.Write, 0) { // NaN fails the comparison
		return fmt.Errorf("%g and %g units: a limit is not finite or negative", u.Read, u.Write)
	}
	return nil
}
