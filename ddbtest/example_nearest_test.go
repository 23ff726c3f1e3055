package ddbtest_test

import (
	"fmt"

	"github.com/trestledb/trestle/ddbtest"
)

// The log of a failed test describes the requests that came nearest to a rule that never acted.
func ExampleDB_Fail_neverActed() {
	t := new(printingT)
	defer t.end()

	db := startVisits(t)
	db.Fail(ddbtest.Op("Query"), ddbtest.OnTable("visits"), ddbtest.Throttle()).MustHit(t)
	fmt.Println(countPages(db.Client()))
	// Output:
	// 1 <nil>
	// ddbtest: the rule never acted: Fail(Op("Query"), OnTable("visits"), Throttle()): no request matched its conditions; the nearest: 1 Scan on table "visits", but the rule wants Op("Query")
	// ddbtest: the last requests:
	// 	#1 Scan visits: ok, 0.5 read, 0 written, 1 of 1 items
}
