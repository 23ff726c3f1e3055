package table

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Limits of throughput decreases: the free ones per day, in UTC, and the interval between further
// ones.
const (
	freeDecreases = 4
	decreasePause = time.Hour
)

// decreases returns the number of decreases on the day of now.
func decreases(p store.Throughput, now time.Time) int {
	if !day(p.Lowered).Equal(day(now)) {
		return 0
	}
	return p.Decreases
}

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// move changes a throughput to the requested units.
func move(from, to store.Throughput, now time.Time) (store.Throughput, error) {
	moved := from
	moved.Read, moved.Write = to.Read, to.Write
	if to.Read > from.Read || to.Write > from.Write {
		moved.Increased = now
	}
	if to.Read >= from.Read && to.Write >= from.Write {
		return moved, nil
	}
	today := decreases(from, now)
	if next := from.Lowered.Add(decreasePause); today >= freeDecreases && now.Before(next) {
		return from, limited("Provisioned throughput decreases are limited within a given UTC day. After the first %d decreases, each subsequent "+
			"decrease in the same UTC day can be performed at most once every %d seconds. Number of decreases today: %d. "+
			"Last decrease at %s. Next decrease can be made at %s",
			freeDecreases, int(decreasePause.Seconds()), today, from.Lowered.UTC().Format(time.RFC1123), next.UTC().Format(time.RFC1123))
	}
	moved.Lowered, moved.Decreases = now, today+1
	return moved, nil
}
