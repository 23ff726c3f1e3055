package write

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// The maximum sizes of an index's partition key and sort key in bytes, each in total over its
// attributes.
const (
	maxPartitionKey = 2048
	maxSortKey      = 1024
)

// checkIndexSize reports an index whose partition or sort key is too long in total. DynamoDB counts
// the attributes even if the item is not on the index. valueOf returns the value of an attribute,
// or nil if it is absent or unknown. A key with one attribute is checked when it is rendered.
func checkIndexSize(x *core.IndexKey, valueOf func(*core.KeyAttr) types.AttributeValue, wrong *errs.Problems) {
	for _, side := range []struct {
		name  string
		attrs []*core.KeyAttr
		limit int
	}{{"partition", x.Key.Partition, maxPartitionKey}, {"sort", x.Key.Sort, maxSortKey}} {
		if len(side.attrs) < 2 {
			continue
		}
		size := 0
		names := make([]string, len(side.attrs))
		for i, a := range side.attrs {
			names[i] = a.Name
			if av := valueOf(a); av != nil {
				size += codec.ValueSize(av)
			}
		}
		if size > side.limit {
			wrong.AddLimit(strings.Join(names, ", "), "the "+side.name+" key of index "+x.Index.Name+" has "+strconv.Itoa(size)+
				" bytes and exceeds "+strconv.Itoa(side.limit), "shorten them")
		}
	}
}
