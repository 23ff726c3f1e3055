package control

import (
	"net/http"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/strict"
	"github.com/trestledb/trestle/ddbtest"
)

var lagRoutes = []Route{
	read("/lag", readLag),
	send(http.MethodPut, "/lag", setLag),
	do(http.MethodPost, "/settle", func(c *call) error { return Settle(c.db) }),
}

// Lag is how far eventually consistent reads lag behind the writes. Each is a duration or
// "untilSettled".
type Lag struct {
	Items   string `json:"items,omitempty" example:"\"2s\" or \"untilSettled\""`   // of tables and local indexes
	Indexes string `json:"indexes,omitempty" example:"\"2s\" or \"untilSettled\""` // of global indexes
}

// lag returns the lag. A member that is absent is no lag.
func (l *Lag) lag() (lag ddbtest.Lag, problems []strict.Problem) {
	for _, m := range []struct{ name, text string }{{"items", l.Items}, {"indexes", l.Indexes}} {
		if m.text == "" {
			continue
		}
		d, ok := ParseLag(m.text)
		switch {
		case !ok:
			problems = append(problems, strict.Problem{Field: m.name, Message: "is not a lag", Cure: durationCure + `, or "` + untilSettled + `"`})
		case m.name == "items":
			lag.Items = d
		default:
			lag.Indexes = d
		}
	}
	return lag, problems
}

func (l *Lag) validate(*call) []strict.Problem {
	_, problems := l.lag()
	return problems
}

func readLag(c *call) (Lag, error) {
	lag := c.db.DB.Lag()
	return Lag{formatLag(lag.Items), formatLag(lag.Indexes)}, nil
}

func setLag(c *call, l *Lag) (Lag, error) {
	lag, _ := l.lag()
	c.db.DB.SetLag(lag)
	return readLag(c)
}
