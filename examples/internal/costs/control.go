package costs

import (
	"math"

	"github.com/trestledb/trestle/entity"
)

// worse are estimators that know less. Each must be more than a unit off somewhere, or being right proves nothing.
var worse = map[string]func(entity.Explanation) float64{
	"the size of items is forgotten": func(x entity.Explanation) float64 {
		if x.Units.Write > 0 {
			return float64(1 + len(x.Indexes))
		}
		return float64(x.Assumed.Items) * perItem(x, 1)
	},
	"each item is rounded up by itself": func(x entity.Explanation) float64 {
		if x.Units.Write > 0 {
			return x.Units.Write
		}
		return float64(x.Assumed.Items) * perItem(x, math.Ceil(float64(x.Assumed.ItemSize)/4096))
	},
	indexesForgotten: func(x entity.Explanation) float64 {
		if x.Units.Write > 0 {
			return math.Ceil(float64(x.Assumed.ItemSize) / 1024)
		}
		return x.Units.Read
	},
}

const indexesForgotten = "the indexes that are written are forgotten"

func perItem(x entity.Explanation, steps float64) float64 {
	if x.Strong {
		return steps
	}
	return steps / 2
}

// controls count the requests of which each of the worse estimators is more than a unit off.
type controls struct {
	failed  map[string]int
	indexed bool // there were writes of indexes
}

func (c *controls) add(explained []entity.Explanation, used entity.Capacity) {
	if c.failed == nil {
		c.failed = map[string]int{}
	}
	for name, guess := range worse {
		units := 0.0
		for _, x := range explained {
			units += guess(x)
			c.indexed = c.indexed || len(x.Indexes) > 0
		}
		if math.Abs(units-used.Read-used.Write) > 1 {
			c.failed[name]++
		}
	}
}

// conclude fails the test where one of the worse estimators was as good.
func (c *controls) conclude(t TB) {
	t.Helper()
	for name := range worse {
		if c.failed[name] == 0 && (c.indexed || name != indexesForgotten) {
			t.Errorf("it is never noticed that %s", name)
		}
	}
	t.Logf("requests of which it is noticed that %v", c.failed)
}
