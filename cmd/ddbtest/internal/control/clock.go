package control

import (
	"net/http"
	"time"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
)

var clockRoutes = []Route{
	read("/clock", readClock),
	send(http.MethodPost, "/clock/advance", advanceClock),
}

// Clock is the time of the database's clock.
type Clock struct {
	Now         time.Time `json:"now"`
	UnixSeconds int64     `json:"unixSeconds"` // as in attributes of a time to live
}

// Advance moves the clock.
type Advance struct {
	By string `json:"by" example:"\"2s\", \"192h\" or \"-1m\""` // a duration; a negative one moves the clock back
}

func (a *Advance) validate(*call) []strict.Problem {
	_, problems := duration("by", a.By)
	return problems
}

func readClock(c *call) (Clock, error) {
	now := c.db.DB.Now()
	return Clock{now, now.Unix()}, nil
}

func advanceClock(c *call, a *Advance) (Clock, error) {
	by, _ := duration("by", a.By)
	c.db.DB.Advance(by)
	if err := kept(c.db); err != nil {
		return Clock{}, err
	}
	return readClock(c)
}
