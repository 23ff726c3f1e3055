package oteltrestle

import (
	"context"
	"errors"

	"github.com/aws/smithy-go"
	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/trestledb/trestle"
)

// failureOf returns the attributes of a failure, and nil if the operation succeeded. A read that
// finds no item is not a failure.
func failureOf(e trestle.Event) []attribute.KeyValue {
	if e.Err == nil || e.Outcome == trestle.NoWrite && errors.Is(e.Err, trestle.ErrNotFound) {
		return nil
	}
	code := codeOf(e.Err)
	list := []attribute.KeyValue{typeOf(e.Err, code)}
	if code != "" {
		list = append(list, semconv.DBResponseStatusCode(code))
	}
	return list
}

// codeOf returns the service's error code, or "" if the error does not come from the service.
func codeOf(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

// requestOf returns the ID of the failed request, if it is known. Only spans have this attribute.
func requestOf(err error) []attribute.KeyValue {
	var failed *trestle.OpError
	if errors.As(err, &failed) && failed.RequestID != "" {
		return []attribute.KeyValue{semconv.AWSRequestID(failed.RequestID)}
	}
	return nil
}

// names lists the sentinel errors of package trestle.
var names = []struct {
	err  error
	name string
}{
	{trestle.ErrNotFound, "ErrNotFound"}, {trestle.ErrExists, "ErrExists"}, {trestle.ErrStale, "ErrStale"}, {trestle.ErrTaken, "ErrTaken"},
	{trestle.ErrCondition, "ErrCondition"}, {trestle.ErrUnknown, "ErrUnknown"}, {trestle.ErrLimit, "ErrLimit"}, {trestle.ErrInvalid, "ErrInvalid"},
	{trestle.ErrTenant, "ErrTenant"},
}

func typeOf(err error, code string) attribute.KeyValue {
	for _, n := range names {
		if errors.Is(err, n.err) {
			return semconv.ErrorTypeKey.String(n.name)
		}
	}
	switch {
	case code != "":
		return semconv.ErrorTypeKey.String(code)
	case errors.Is(err, context.Canceled):
		return semconv.ErrorTypeKey.String("context.Canceled")
	case errors.Is(err, context.DeadlineExceeded):
		return semconv.ErrorTypeKey.String("context.DeadlineExceeded")
	default:
		return semconv.ErrorTypeOther
	}
}
