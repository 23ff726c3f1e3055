package generations

import (
	"fmt"
	"strconv"
	"time"
)

// timeDigits is the number of digits of the time in the name of a generation.
const timeDigits = 13

// newID returns the name of a new generation: the time in milliseconds, and 16 random letters and
// digits. Names sort by time.
func (s *settings) newID(now time.Time) (string, error) {
	text, err := s.text()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%0*d-%s", timeDigits, max(now.UnixMilli(), 0), text[:16]), nil
}

// timeOf returns the time in the name of a generation. For a name that newID did not return, it is
// the zero time.
func timeOf(id string) time.Time {
	ms, err := strconv.ParseInt(id[:min(timeDigits, len(id))], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
