package oteltrestle

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/trestledb/trestle/entity"
)

// Config says where spans and metrics go. The zero value stands for OpenTelemetry's global
// providers, which may be set after the observer is made.
type Config struct {
	TracerProvider trace.TracerProvider // nil: otel.GetTracerProvider()
	MeterProvider  metric.MeterProvider // nil: otel.GetMeterProvider()
}

const scope = "github.com/trestledb/trestle/oteltrestle"

// NewObserver makes an observer for [entity.Config]. It may serve several schemas. An instrument
// that the meter provider refuses is reported to OpenTelemetry's error handler, and not recorded.
func NewObserver(c Config) entity.Observer {
	if c.TracerProvider == nil {
		c.TracerProvider = otel.GetTracerProvider()
	}
	if c.MeterProvider == nil {
		c.MeterProvider = otel.GetMeterProvider()
	}
	return &observer{
		tracer:      c.TracerProvider.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)),
		instruments: newInstruments(c.MeterProvider.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL))),
	}
}

// observer keeps each operation's span in its context, under itself as the key: another observer
// may put a span of its own there.
type observer struct {
	tracer      trace.Tracer
	instruments instruments
}

// Start starts the operation's span.
func (o *observer) Start(ctx context.Context, op entity.OperationInfo) context.Context {
	ctx, span := o.tracer.Start(ctx, summary(op),
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(known(op)...))
	return context.WithValue(ctx, o, span)
}

// End ends it, and records the metrics.
func (o *observer) End(ctx context.Context, e entity.Event) {
	failure := failureOf(e)
	o.instruments.record(ctx, e, failure)
	span, ok := ctx.Value(o).(trace.Span)
	if !ok {
		return
	}
	if span.IsRecording() {
		span.SetAttributes(found(e)...)
		if len(failure) > 0 {
			span.SetAttributes(failure...)
			span.SetAttributes(requestOf(e.Err)...)
			span.SetStatus(codes.Error, e.Err.Error())
		}
	}
	span.End()
}
