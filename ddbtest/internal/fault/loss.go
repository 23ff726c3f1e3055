package fault

// LoseByReset resets the connection before the request is applied.
func LoseByReset() Effect { return lost("Reset", Reset) }

// LoseByHang never replies: the client waits until its context ends. The request is not applied.
func LoseByHang() Effect { return lost("Hang", Hang) }

func lost(name string, loss Loss) Effect {
	return Effect{name: name, on: anywhere, decides: true, apply: before(Ending{Loss: loss}), commit: after(Ending{Loss: loss})}
}

// Refuse refuses the connection.
func Refuse() Effect {
	return Effect{name: "Refused", on: anywhere, decides: true, apply: func(p *Plan, _ *meeting) { p.Refuse = true }}
}

// Truncate cuts the reply's body in the middle.
func Truncate() Effect { return harmed("Truncate", telling, Truncated) }

// SpoilChecksum sends a wrong checksum with the reply.
func SpoilChecksum() Effect { return harmed("WrongChecksum", anywhere, WrongChecksum) }

// Garble replaces the reply's body with one that is not JSON, with a correct length and checksum.
func Garble() Effect { return harmed("Garbage", telling, Garbled) }

// harmed returns an effect that damages the reply after the request was applied.
func harmed(name string, on class, harm Harm) Effect {
	return Effect{name: name, on: on, decides: true, apply: after(Ending{Harm: harm})}
}

// LateDuplicate resets the connection before the request is applied, and applies it later.
func LateDuplicate(when Lateness) Effect {
	e := Effect{name: "LateDuplicate", on: writes, decides: true, apply: func(p *Plan, _ *meeting) {
		p.Before.Loss, p.Late = Reset, when
	}}
	if when == AfterOtherWriter {
		e.name = "LateDuplicate(AfterOtherWriter)"
	}
	return e
}
