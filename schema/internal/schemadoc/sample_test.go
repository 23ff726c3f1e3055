package schemadoc_test

import (
	"net/netip"
	"reflect"
	"strings"
	"time"

	"github.com/trestledb/trestle/keys"
)

// sample is an item with a field of every kind that a key can hold.
type sample struct {
	Tenant string     `dynamodbav:"tenant"`
	Serial int        `dynamodbav:"serial"`
	Name   string     `dynamodbav:"name,omitempty"`
	Tag    label      `dynamodbav:"tag,omitempty"`
	Addr   netip.Addr `dynamodbav:"addr"`
	Count  int64      `dynamodbav:"count"`
	Small  int16      `dynamodbav:"small"`
	Mass   uint64     `dynamodbav:"mass"`
	Heat   float64    `dynamodbav:"heat"`
	At     time.Time  `dynamodbav:"at"`
	Ends   time.Time  `dynamodbav:"ends,unixtime"`
	On     bool       `dynamodbav:"on"`
	Hash   []byte     `dynamodbav:"hash,omitempty"`
}

type label string

// column is a field of a sample with the formats that keys can have for it.
type column struct {
	name    string
	formats []string
}

var columns = func() []column {
	words := []string{"", "lower", "upper"}
	numbers := []string{"raw", "08", "ord", "08,desc", "ord,desc"}
	times := []string{"compact"}
	for _, format := range []string{"ns", "us", "ms", "s", "hour", "day", "month", "year", "unix"} {
		times = append(times, format, format+",desc")
	}
	return []column{
		{"tenant", words[:1]},
		{"name", words},
		{"tag", words},
		{"addr", words[:1]},
		{"count", numbers},
		{"small", append(numbers, "03", "03,desc")},
		{"mass", append(numbers, "020", "020,desc")},
		{"heat", []string{"ord", "ord,desc"}},
		{"at", times},
		{"ends", times},
		{"on", words[:1]},
		{"hash", []string{"hex"}},
	}
}()

// value returns the column of a sample.
func (c column) value(s *sample) reflect.Value {
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("dynamodbav"), ","); name == c.name {
			return v.Field(i)
		}
	}
	panic("no column " + c.name)
}

// compact is a custom format for times.
var compact = func() keys.Format {
	f, err := keys.Layout("20060102T150405")
	if err != nil {
		panic(err)
	}
	return f
}()
