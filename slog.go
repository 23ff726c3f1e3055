package trestle

import (
	"cmp"
	"context"
	"errors"
	"log/slog" //nolint:depguard // this is where the library may log: for whoever asks for it
	"slices"
	"strings"
)

// SlogObserver returns an [Observer] that writes a line for every operation when it ends. For a nil
// logger it uses slog.Default at the time of the line. No line shows a key or a value.
//
// The level is Debug for success, even if the caller gets an error from it ([Event.Err]). It is
// Info for errors that callers expect, such as [ErrNotFound] or [ErrStale], also if each operation
// of a transaction that failed has one, and for a canceled context. It is Warn for [ErrUnknown],
// for an exceeded deadline of the caller, for throttling that a retry overcame, for misplaced
// items, for items whose time to live DynamoDB ignores, and for a read of more than 100 items that
// returned less than a tenth of them. It is Error for any other failure.
//
// The message is "dynamodb" and the operation. The attributes are entity, table, access, index,
// items, scanned (if it differs from items), skipped, unknown, gone, misplaced, ignored_ttl,
// unprocessed, requests, attempts (if there are more than requests), throttled, read_units,
// write_units and duration, as in [Event]. A failure adds error, hint and request_id, and for a
// write the outcome. Misplaced items and ignored times to live add a hint too. Empty and zero
// attributes are omitted.
func SlogObserver(l *slog.Logger) Observer {
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

// A read that drops most of its items suggests a missing access pattern.
const (
	wasteful      = 10
	wastefulAbove = 100
)

func levelOf(ctx context.Context, e Event) slog.Level {
	switch {
	case e.Err != nil && !errors.Is(e.Err, ErrUnknown) && errors.Is(ctx.Err(), context.Canceled):
		return slog.LevelInfo
	case e.Err != nil && !expected(e.Err) && ctx.Err() == nil:
		return slog.LevelError
	case e.Err != nil && !expected(e.Err), errors.Is(e.Err, ErrUnknown), len(e.Throttled) > 0, e.Misplaced > 0, e.IgnoredTTL > 0,
		e.Scanned > wastefulAbove && e.Scanned > wasteful*e.Items:
		return slog.LevelWarn
	case e.Err != nil:
		return slog.LevelInfo
	default:
		return slog.LevelDebug
	}
}

// line collects the non-empty attributes of a line.
type line []slog.Attr

func (l *line) text(name, s string) {
	if s != "" {
		*l = append(*l, slog.String(name, s))
	}
}

func (l *line) count(name string, n int) {
	if n != 0 {
		*l = append(*l, slog.Int(name, n))
	}
}

func (l *line) units(name string, n float64) {
	if n != 0 {
		*l = append(*l, slog.Float64(name, n))
	}
}

func attrs(e Event) []slog.Attr {
	var failed OpError
	if f := (*OpError)(nil); errors.As(e.Err, &f) {
		failed = *f
	}
	var l line
	l.text("entity", e.Entity)
	l.text("table", cmp.Or(e.Table, failed.Table))
	l.text("access", e.Access)
	l.text("index", e.Index)
	l.count("items", e.Items)
	if e.Scanned != e.Items {
		l.count("scanned", e.Scanned)
	}
	l.count("skipped", e.Skipped)
	l.count("unknown", e.Unknown)
	l.count("gone", e.Gone)
	l.count("misplaced", e.Misplaced)
	l.count("ignored_ttl", e.IgnoredTTL)
	l.count("unprocessed", e.Unprocessed)
	l.count("requests", e.Requests)
	if e.Attempts > e.Requests {
		l.count("attempts", e.Attempts)
	}
	if len(e.Throttled) > 0 {
		l = append(l, slog.Any("throttled", e.Throttled))
	}
	l.units("read_units", e.Capacity.Read)
	l.units("write_units", e.Capacity.Write)
	if e.Duration != 0 {
		l = append(l, slog.Duration("duration", e.Duration))
	}
	if e.Err != nil && e.Outcome != NoWrite {
		l.text("outcome", e.Outcome.String())
	}
	switch {
	case failed.Op != "":
		l.text("error", failed.trouble())
	case e.Err != nil:
		l = append(l, slog.Any("error", e.Err))
	}
	l.text("hint", hintOf(e, failed))
	l.text("request_id", failed.RequestID)
	return l
}

// hintOf returns what to do about an error, about misplaced items, or about ignored times to live.
func hintOf(e Event, failed OpError) string {
	if failed.Hint != "" {
		return failed.Hint
	}
	var hints []string
	if e.Misplaced > 0 {
		hints = append(hints, "items are stored under another key than their fields render to: maintain.Reindex moves them")
	}
	if e.IgnoredTTL > 0 {
		hints = append(hints, "DynamoDB ignores the time to live of items: maintain.CheckItems says why, and what to store")
	}
	return strings.Join(hints, "; ")
}

// expected reports whether callers expect an error: it is a sentinel error, or that of a
// transaction of which each operation that failed has one.
func expected(err error) bool {
	var canceled *CanceledError
	if errors.As(err, &canceled) {
		return !slices.ContainsFunc(canceled.Failures, func(f Failure) bool { return f.Err.Kind == nil })
	}
	var e *OpError
	return errors.As(err, &e) && e.Kind != nil
}
