package fault

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
)

// ResetConnection resets the connection before the request is applied.
func ResetConnection() Effect { return loseReply("Reset", Reset) }

// HangForever never replies: the client waits until its context ends. The request is not applied.
func HangForever() Effect { return loseReply("Hang", Hang) }

func loseReply(name string, loss Loss) Effect {
	return Effect{name: name, operations: allOperations, endsRequest: true, apply: respondInstead(Response{Loss: loss}), applyAfter: respondAfter(Response{Loss: loss})}
}

// RefuseConnection refuses the connection.
func RefuseConnection() Effect {
	return Effect{name: "Refused", operations: allOperations, endsRequest: true, apply: func(p *Plan, _ *match) { p.Refuse = true }}
}

// Truncate cuts the reply's body in the middle.
func Truncate() Effect { return corrupted("Truncate", withReplyBody, Truncated) }

// InvalidChecksum sends a wrong checksum with the reply.
func InvalidChecksum() Effect { return corrupted("WrongChecksum", allOperations, WrongChecksum) }

// InvalidBody replaces the reply's body with one that is not JSON, with a correct length and
// checksum.
func InvalidBody() Effect { return corrupted("InvalidJSON", withReplyBody, InvalidJSON) }

// corrupted returns an effect that damages the reply after the request was applied.
func corrupted(name string, on operationSet, c Corruption) Effect {
	return Effect{name: name, operations: on, endsRequest: true, apply: respondAfter(Response{Corruption: c})}
}

// LateDuplicate resets the connection before the request is applied, and applies it later.
func LateDuplicate(when Delivery) Effect {
	e := Effect{name: "LateDuplicate", operations: writes, endsRequest: true, apply: func(p *Plan, _ *match) {
		p.Before.Loss, p.Delivery = Reset, when
	}}
	if when == AfterOtherWrite {
		e.name = "LateDuplicateAfterWrite"
	}
	return e
}

// Delay delays a request.
func Delay(d time.Duration) Effect {
	e := Effect{
		name: fmt.Sprintf("Delay(%s)", d), operations: allOperations,
		apply:      func(p *Plan, _ *match) { p.Delay = clock.Sum(p.Delay, d) },
		applyAfter: func(p *Plan, _ *match) { p.DelayAfter = clock.Sum(p.DelayAfter, d) },
	}
	if d <= 0 {
		e.err = fmt.Errorf("%s: the delay is not positive", e.name)
	}
	return e
}
