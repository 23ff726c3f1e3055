package control

import (
	"encoding/json"
	"net/http"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/fixture"
	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

var partitionRoutes = []Route{
	read("/partitions", listPartitions, "top"),
	send(http.MethodPut, "/partitions/limit", limitPartitions),
}

// defaultTop is how many partitions are listed by default.
const defaultTop = 10

// Partitions has the limit of one partition and the partitions with the highest load.
type Partitions struct {
	Limit PartitionLimit  `json:"limit"`
	Hot   []PartitionLoad `json:"hot"`
}

// PartitionLimit is the limit of one partition in units per second. 0 means no limit.
type PartitionLimit struct {
	Read  float64 `json:"read"`
	Write float64 `json:"write"`
}

// PartitionLoad is the peak load of one partition within one second.
type PartitionLoad struct {
	Table string          `json:"table"`
	Index string          `json:"index,omitempty"`
	Key   json.RawMessage `json:"key,omitempty"` // the partition key in DynamoDB JSON; absent if the partition is empty now
	Read  float64         `json:"read"`
	Write float64         `json:"write"`
}

// maxLimit is far above every load.
const maxLimit = 1e12

func (l *PartitionLimit) validate(*call) (problems []strict.Problem) {
	for _, m := range []struct {
		name  string
		limit float64
	}{{"read", l.Read}, {"write", l.Write}} {
		if m.limit < 0 || m.limit > maxLimit {
			problems = append(problems, strict.Problem{Field: m.name, Message: "is not from 0 to 1e12", Cure: "0 means no limit"})
		}
	}
	return problems
}

func limitPartitions(c *call, l *PartitionLimit) (PartitionLimit, error) {
	c.db.DB.LimitPartitions(ddbtest.Units(*l))
	return PartitionLimit(c.db.DB.PartitionLimit()), nil
}

func listPartitions(c *call) (Partitions, error) {
	top, err := c.query("top", defaultTop)
	if err != nil {
		return Partitions{}, err
	}
	p := Partitions{Limit: PartitionLimit(c.db.DB.PartitionLimit()), Hot: []PartitionLoad{}}
	for _, load := range c.db.DB.HotPartitions(top) {
		hot := PartitionLoad{Table: load.Table, Index: load.Index, Read: load.Read, Write: load.Write}
		if load.Key != nil {
			if hot.Key, err = fixture.FormatItem(load.Key); err != nil {
				return Partitions{}, err
			}
		}
		p.Hot = append(p.Hot, hot)
	}
	return p, nil
}
