package entity

import (
	"context"
	"errors"
	"log/slog" //nolint:depguard // this is where the library may log: for whoever asks for it
)

// Log is an [Observer] that logs every operation: at level Debug what succeeded; at Info what failed by an outcome of the glossary, or because its
// context ended; at Warn what was throttled, of which nobody knows whether it was applied ([ErrUnknown]), or what read ten times as many items as it
// returned, above a hundred; and at Error any other failure. A read that brought what it was sent for has succeeded, whatever the caller makes of it
// ([Event.Err]). No line shows a key or a value. A nil logger is slog.Default as it is when the line is written.
func Log(l *slog.Logger) Observer {
	return ObserverFunc(func(ctx context.Context, e Event) {
		l := l
		if l == nil {
			l = slog.Default()
		}
		level := levelOf(ctx, e)
		if !l.Enabled(ctx, level) {
			return
		}
		l.LogAttrs(ctx, level, "dynamodb "+e.Operation, attrs(e)...)
	})
}

// Reading many items for a few is what an access pattern is missing for.
const (
	wasteful      = 10
	wastefulAbove = 100
)

func levelOf(ctx context.Context, e Event) slog.Level {
	switch {
	case e.Err != nil && ctx.Err() != nil && !errors.Is(e.Err, ErrUnknown):
		return slog.LevelInfo
	case e.Err != nil && kindOf(e.Err) == nil:
		return slog.LevelError
	case len(e.Throttled) > 0, errors.Is(e.Err, ErrUnknown), e.Scanned > wastefulAbove && e.Scanned > wasteful*e.Items:
		return slog.LevelWarn
	case e.Err != nil:
		return slog.LevelInfo
	default:
		return slog.LevelDebug
	}
}

func attrs(e Event) []slog.Attr {
	list := []slog.Attr{
		slog.String("entity", e.Entity), slog.String("table", e.Table), slog.String("access", e.Access), slog.String("index", e.Index),
		slog.Int("items", e.Items), slog.Int("scanned", e.Scanned), slog.Int("requests", e.Requests), slog.Int("attempts", e.Attempts),
		slog.Float64("read_units", e.Capacity.Read), slog.Float64("write_units", e.Capacity.Write),
		slog.String("outcome", e.Outcome.String()), slog.Duration("duration", e.Duration),
	}
	if e.Skipped+e.Unknown > 0 {
		list = append(list, slog.Int("skipped", e.Skipped), slog.Int("unknown", e.Unknown))
	}
	if len(e.Throttled) > 0 {
		list = append(list, slog.Any("throttled", e.Throttled))
	}
	if e.Err != nil {
		list = append(list, slog.Any("error", e.Err))
	}
	return list
}

// kindOf is the outcome of the glossary that an error is; nil for none.
func kindOf(err error) error {
	var e *OpError
	if errors.As(err, &e) {
		return e.kind
	}
	return nil
}
