package main

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. Its methods for readings of a period return queries, so a caller
// can read all items, a page, the newest one, or a count.
type Store struct {
	readings *entity.Repo[Reading]
	samples  *entity.Repo[Sample]
}

func NewStore(t *entity.Table) Store { return Store{Readings.In(t), Samples.In(t)} }

// Record stores a reading. If a sensor sends a reading twice, the stored one stays unchanged.
func (s Store) Record(ctx context.Context, r *Reading) error {
	if err := s.readings.Create(ctx, r); !errors.Is(err, trestle.ErrExists) {
		return err
	}
	return nil
}

// Readings returns the readings of a period, which can begin and end within a day. The query
// computes the days of the period, and reads their partitions one after the other.
func (s Store) Readings(sensor string, p attr.Period) query.Query[Reading] {
	return query.Of(s.readings, Reading{Sensor: sensor}).Where(attr.During(ReadAt, p))
}

// Report is Readings for a period of up to a year. It reads eight days at the same time.
func (s Store) Report(sensor string, p attr.Period) query.Query[Reading] {
	return s.Readings(sensor, p).Periods(366, 8)
}

// Day returns the readings of the day of a time.
func (s Store) Day(sensor string, day time.Time) query.Query[Reading] {
	return query.Of(s.readings, Reading{Sensor: sensor, At: day})
}

// DeleteDay deletes the readings of the day of a time. It can be called again after an error.
func (s Store) DeleteDay(ctx context.Context, sensor string, day time.Time) (query.Deleted, error) {
	return s.Day(sensor, day).Collection().Delete(ctx)
}

// RecordSamples stores the samples that a vibration sensor has sent.
func (s Store) RecordSamples(ctx context.Context, samples iter.Seq[*Sample]) error {
	return s.samples.PutMany(ctx, samples)
}

// Samples returns the samples of a period. It merges the shards of each day in the order of time.
func (s Store) Samples(sensor string, p attr.Period) query.Query[Sample] {
	return query.Of(s.samples, Sample{Sensor: sensor}).Where(attr.During(SampledAt, p))
}
