package write

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
)

// The longest partition and sort keys of an index in bytes, the attributes of each taken together.
const (
	maxPartitionKey = 2048
	maxSortKey      = 1024
)

// checkIndexSize refuses the key of an index whose partition or sort attributes are too long together.
// The service measures what the item has of them, on the index or not. valueOf is an attribute's value;
// nil where it is absent or not known. One attribute alone is checked where it is rendered.
func checkIndexSize(x *core.IndexKey, valueOf func(*core.KeyAttr) types.AttributeValue, wrong *fail.Problems) {
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
				" bytes, and "+strconv.Itoa(side.limit)+" are the most", "shorten them")
		}
	}
}
