package item

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Collections holds the metrics of all item collections that an operation changed, by table, each
// collection once.
type Collections map[string][]*api.ItemCollectionMetrics

// Add adds the metrics of one collection, unless they are nil.
func (c *Collections) Add(table string, m *api.ItemCollectionMetrics) {
	if m == nil {
		return
	}
	for _, known := range (*c)[table] {
		if value.Equal(known.ItemCollectionKey, m.ItemCollectionKey) {
			return
		}
	}
	if *c == nil {
		*c = Collections{}
	}
	(*c)[table] = append((*c)[table], m)
}
