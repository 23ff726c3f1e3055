package main

import (
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Reading is the temperature at a sensor. The readings of a day have a partition, and its sort key
// is the time.
type Reading struct {
	_       entity.Key `type:"reading" pk:"SENSOR#<sensor>#<at:day>" sk:"<at:ms>"`
	Sensor  string     `dynamodbav:"sensor"`
	At      time.Time  `dynamodbav:"at"`
	Celsius float64    `dynamodbav:"celsius"`
	Note    string     `dynamodbav:"note,omitempty"`
}

// Sample is a value of a vibration sensor, which sends thousands in a second. A partition takes
// 1,000 writes of a second, so the samples of a day have four partitions. The time of a sample
// determines which one.
type Sample struct {
	_      entity.Key `type:"sample" pk:"VIBRATION#<sensor>#<at:day>#<shard:at>" sk:"<at:ms>" shards:"4"`
	Sensor string     `dynamodbav:"sensor"`
	At     time.Time  `dynamodbav:"at"`
	Micron int        `dynamodbav:"micron"`
}

var (
	Schema   = entity.NewSchema(entity.Config{})
	Readings = entity.Define[Reading](Schema)
	Samples  = entity.Define[Sample](Schema)

	ReadAt    = attr.Must(func(r *Reading) *time.Time { return &r.At })
	SampledAt = attr.Must(func(s *Sample) *time.Time { return &s.At })
)
