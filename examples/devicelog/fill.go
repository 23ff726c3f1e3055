package main

import (
	"context"
	"strings"
	"time"
)

// reported has the first reports: device, state, time, operator, escalated to.
const reported = `
d#12345 WARNING1 2020-04-24T14:40:00 Liz
d#12345 WARNING1 2020-04-24T14:45:00 Liz
d#12345 WARNING1 2020-04-24T14:50:00 Liz
d#12345 NORMAL   2020-04-24T14:55:00 Liz
d#54321 WARNING2 2020-04-11T09:25:00 Sue
d#54321 NORMAL   2020-04-11T09:30:00 Sue
d#54321 WARNING3 2020-04-11T05:50:00 Sue
d#54321 WARNING3 2020-04-11T05:55:00 Liz
d#54321 NORMAL   2020-04-11T06:00:00 Liz
d#11223 WARNING4 2020-04-27T16:10:00 Sue
d#11223 WARNING4 2020-04-27T16:15:00 Sue Sara
`

// layout is the time format of the devices.
const layout = "2006-01-02T15:04:05"

// reports parses a text like reported.
func reports(text string) ([]Report, error) {
	var all []Report
	for line := range strings.Lines(strings.TrimSpace(text)) {
		f := append(strings.Fields(line), "")
		at, err := time.Parse(layout, f[2])
		if err != nil {
			return nil, err
		}
		all = append(all, Report{Device: f[0], State: f[1], At: at, Operator: f[3], EscalatedTo: f[4]})
	}
	return all, nil
}

func (t tour) fill(ctx context.Context) error {
	all, err := reports(reported)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.Device == "d#12345" && r.State == "NORMAL" {
			r.Detail = strings.Repeat("all is well again. ", 600) // a long report
		}
		if err := t.store.Record(ctx, &r); err != nil {
			return err
		}
	}
	t.Printf("%d reports are stored, one of them with 11 KB of detail", len(all))
	return nil
}
