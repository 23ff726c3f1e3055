package oteltrestle

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/trestledb/trestle"
)

// Config sets the providers of spans and metrics. The zero value uses OpenTelemetry's global
// providers. They may be set after the observer is made.
type Config struct {
	TracerProvider trace.TracerProvider // nil: otel.GetTracerProvider()
	MeterProvider  metric.MeterProvider // nil: otel.GetMeterProvider()
}

const scope = "github.com/trestledb/trestle/oteltrestle"

// NewObserver returns an observer for [trestle.Config]. Several schemas may share it. If the meter
// provider fails to create an instrument, NewObserver reports the error to OpenTelemetry's error
// handler and does not record that metric.
func NewObserver(c Config) trestle.Observer {
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

// observer stores the span of an operation in the context. The key is the observer itself, so that
// several observers can store their spans in one context.
type observer struct {
	tracer      trace.Tracer
	instruments instruments
}

// Start starts the span of an operation.
func (o *observer) Start(ctx context.Context, op trestle.OperationInfo) context.Context {
	ctx, span := o.tracer.Start(ctx, summary(op),
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(known(op)...))
	return context.WithValue(ctx, o, span)
}

// End ends the span and records the metrics.
func (o *observer) End(ctx context.Context, e trestle.Event) {
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
