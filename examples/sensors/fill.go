package main

import (
	"context"
	"fmt"
	"iter"
	"time"
)

const roof, pump = "roof", "pump"

// at returns a time in August 2026.
func at(day, hour int) time.Time { return time.Date(2026, 8, day, hour, 0, 0, 0, time.UTC) }

// readings are those of the sensor on the roof: every six hours for five days, the first ones on
// August 1.
func readings() (all []Reading) {
	for day := 1; day <= 5; day++ {
		for hour := 0; hour < 24; hour += 6 {
			all = append(all, Reading{Sensor: roof, At: at(day, hour), Celsius: float64(14 + day + hour%13)})
		}
	}
	return all
}

// samples are those of the pump in one second of August 5, one every ten milliseconds.
func samples() iter.Seq[*Sample] {
	return func(yield func(*Sample) bool) {
		for i := range 100 {
			if !yield(&Sample{Sensor: pump, At: at(5, 12).Add(time.Duration(i) * 10 * time.Millisecond), Micron: 40 + i*i%17}) {
				return
			}
		}
	}
}

func (t tour) fill(ctx context.Context) error {
	for _, r := range readings() {
		if err := t.store.Record(ctx, &r); err != nil {
			return err
		}
		if err := t.store.Record(ctx, &r); err != nil { // sent twice
			return err
		}
	}
	if err := t.store.RecordSamples(ctx, samples()); err != nil {
		return err
	}
	t.Printf("1. The sensor on the roof reports every six hours, for five days. Each report arrives twice.")
	return t.partitions(ctx)
}

// partitions prints how many items each partition has.
func (t tour) partitions(ctx context.Context) error {
	sizes, err := partitions(ctx, t.client)
	if err != nil {
		return err
	}
	t.Printf("  the partitions of the table:")
	for _, p := range sizes {
		t.Printf("    %-30s %3d items", p.key, p.items)
	}
	return nil
}

// celsius returns the time and the temperature of a reading.
func celsius(r Reading) string { return fmt.Sprintf("%s %g°", r.At.Format("2 15:04"), r.Celsius) }
