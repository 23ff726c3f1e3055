package engines

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/ddbtest"
)

// Pauses returns the pauses between the requests of a call.
func Pauses(db *ddbtest.DB, call func()) (pauses []time.Duration) {
	before := len(db.Requests())
	call()
	requests := db.Requests()[before:]
	for i := 1; i < len(requests); i++ {
		pauses = append(pauses, requests[i].At.Sub(requests[i-1].At))
	}
	return pauses
}

// BackoffIssue checks the pauses of several calls that retry until they give up: the pauses of a
// call must grow, be random, and be at most 20 ms before the first retry, and twice as much before
// each further one. It returns what is wrong, or "".
func BackoffIssue(calls [][]time.Duration) string {
	var early, late time.Duration
	seen := map[time.Duration]bool{}
	total := 0
	for _, pauses := range calls {
		if len(pauses) < 3 || len(pauses) > 20 {
			return fmt.Sprintf("%d pauses", len(pauses))
		}
		for i, p := range pauses {
			seen[p] = true
			total++
			if p > 20*time.Millisecond<<i {
				return fmt.Sprintf("pause %d takes %v", i, p)
			}
		}
		early, late = early+pauses[0], late+pauses[len(pauses)-1]
	}
	switch {
	case late < 4*early:
		return "they do not grow"
	case len(seen) < total/2:
		return "they are alike"
	}
	return ""
}
