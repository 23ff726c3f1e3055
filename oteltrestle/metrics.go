package oteltrestle

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/semconv/v1.43.0/dbconv"

	"github.com/trestledb/trestle"
)

// instruments holds the instruments of the metrics.
type instruments struct {
	duration   dbconv.ClientOperationDuration
	readUnits  metric.Float64Counter
	writeUnits metric.Float64Counter
	throttled  metric.Int64Counter
}

func newInstruments(m metric.Meter) instruments {
	duration, err := dbconv.NewClientOperationDuration(m,
		metric.WithExplicitBucketBoundaries(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10))
	throttled, errThrottled := m.Int64Counter("trestle.throttled", metric.WithUnit("{operation}"),
		metric.WithDescription("Operations of which an attempt was throttled, by the service's reason."))
	if err = errors.Join(err, errThrottled); err != nil {
		otel.Handle(err)
	}
	if errThrottled != nil {
		throttled = noop.Int64Counter{}
	}
	return instruments{
		duration:   duration,
		throttled:  throttled,
		readUnits:  units(m, "trestle.read_units", "Read capacity units that operations consumed."),
		writeUnits: units(m, "trestle.write_units", "Write capacity units that operations consumed."),
	}
}

// units returns a counter of capacity units. If the meter fails, units reports the error to
// OpenTelemetry's error handler and returns a no-op counter.
func units(m metric.Meter, name, description string) metric.Float64Counter {
	c, err := m.Float64Counter(name, metric.WithUnit("{unit}"), metric.WithDescription(description))
	if err != nil {
		otel.Handle(err)
		return noop.Float64Counter{}
	}
	return c
}

func (i instruments) record(ctx context.Context, e trestle.Event, failure []attribute.KeyValue) {
	list := class(e.OperationInfo)
	set := metric.WithAttributeSet(attribute.NewSet(list...))
	if e.Capacity.Read > 0 {
		i.readUnits.Add(ctx, e.Capacity.Read, set)
	}
	if e.Capacity.Write > 0 {
		i.writeUnits.Add(ctx, e.Capacity.Write, set)
	}
	for _, reason := range e.Throttled {
		i.throttled.Add(ctx, 1, set, metric.WithAttributes(reasonKey.String(reason)))
	}
	i.duration.RecordSet(ctx, e.Duration.Seconds(), attribute.NewSet(append(list, failure...)...))
}
