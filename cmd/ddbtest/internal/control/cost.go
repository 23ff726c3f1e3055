package control

import (
	"net/http"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/ddbtest"
)

var costRoutes = []Route{
	read("/cost", readCost, "since"),
	act("/marks", addMark),
	do(http.MethodDelete, "/marks/{id}", func(c *call) error {
		_, _, err := numbered(c, &c.db.Marks, c.db.Marks.Remove)
		return err
	}),
}

// Cost is what requests used.
type Cost struct {
	Total      int              `json:"total"`    // the number of requests
	Requests   map[string]int   `json:"requests"` // by operation
	Errors     map[string]int   `json:"errors"`   // by code
	Tables     map[string]Units `json:"tables"`   // by table, such as "orders", and index, such as "orders/byDate"
	ReadUnits  float64          `json:"readUnits"`
	WriteUnits float64          `json:"writeUnits"`
	Pages      int              `json:"pages"`
	Filtered   int              `json:"filtered"`
	Evaluated  int              `json:"evaluated"`
	Returned   int              `json:"returned"`
}

// Units are read and write units.
type Units struct {
	Read  float64 `json:"read"`
	Write float64 `json:"write"`
}

// Mark is a moment from which cost is counted.
type Mark struct {
	ID int       `json:"id"`
	At time.Time `json:"at"`
}

func readCost(c *call) (Cost, error) {
	since, err := c.query("since", 0)
	if err != nil {
		return Cost{}, err
	}
	cost := c.db.DB.Cost()
	if since != 0 {
		mark, ok := c.db.Marks.Get(since)
		if !ok {
			return Cost{}, missing("since", c.db.Marks.IDs())
		}
		cost = cost.Minus(mark.Cost)
	}
	return costOf(cost), nil
}

func costOf(c ddbtest.Cost) Cost {
	tables := map[string]Units{}
	for name, u := range c.Tables {
		tables[name] = Units(u)
	}
	return Cost{
		Total: c.Total(), Requests: c.Requests, Errors: c.Errors, Tables: tables, ReadUnits: c.ReadUnits, WriteUnits: c.WriteUnits,
		Pages: c.Pages, Filtered: c.Filtered, Evaluated: c.Evaluated, Returned: c.Returned,
	}
}

func addMark(c *call) (Mark, error) {
	mark := databases.Mark{At: c.db.DB.Now(), Cost: c.db.DB.Cost()}
	return Mark{ID: c.db.Marks.Add(mark), At: mark.At}, nil
}
