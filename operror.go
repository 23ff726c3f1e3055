package trestle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its key
	"strconv"
	"strings"
	"syscall"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/internal/errs"
)

// OpError is the error of an operation. It wraps a sentinel error such as [ErrStale], if one
// applies, and the error of the SDK.
//
// Its text is safe to log: it names the operation, the entity, the table and the request. It never
// contains a key, a value, or the message of DynamoDB, which may contain either. This holds for
// every format: %v, %+v, %#v, slog and JSON.
type OpError struct {
	Op        string // "create", "get", "query", …
	Entity    string // type name
	Table     string
	Index     string // empty for the table itself
	RequestID string
	Outcome   Outcome // whether the write was applied; NoWrite: not a write
	Attempts  int
	Key       map[string]types.AttributeValue // of the item; never printed
	Taken     []string                        // for ErrTaken: the names of the unique values, such as "email"

	Kind error  // the sentinel error; nil if none applies
	Err  error  // the cause: the SDK's error, or why nothing was sent
	Hint string // a likely fix; may be empty
}

// Error describes the failure and a likely fix.
//
// It and the other methods have value receivers, so a copy prints no more than the original.
func (e OpError) Error() string {
	var b strings.Builder
	b.WriteString("trestle: ")
	b.WriteString(e.Op)
	if e.Entity != "" {
		b.WriteString(" " + e.Entity)
	}
	if e.Table != "" {
		fmt.Fprintf(&b, " in %q", e.Table)
	}
	if e.Index != "" {
		fmt.Fprintf(&b, " on %q", e.Index)
	}
	b.WriteString(": " + e.reason())
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	if e.RequestID != "" {
		b.WriteString(" [request " + e.RequestID + "]")
	}
	return b.String()
}

// reason describes the failure: with the text of a validation error, of a sentinel error, or with
// the error code of DynamoDB.
func (e OpError) reason() string {
	if errors.Is(e.Kind, errs.Unknown) {
		return e.Kind.Error() + ": " + e.trouble()
	}
	return e.trouble()
}

// trouble is reason without the outcome.
func (e OpError) trouble() string {
	var invalid *errs.ValidationError
	var canceled *CanceledError
	var described interface{ Reason() string } // more exact than the sentinel error
	switch {
	case errors.As(e.Err, &canceled):
		return canceled.Error()
	case errors.As(e.Err, &described) && described.Reason() != "":
		return described.Reason()
	case errors.As(e.Err, &invalid):
		return invalid.Error()
	case len(e.Taken) > 0 && e.Kind != nil:
		return e.Kind.Error() + ": " + strings.Join(e.Taken, ", ")
	case e.Kind != nil && !errors.Is(e.Kind, errs.Unknown):
		return e.Kind.Error()
	default:
		return trouble(e.Err)
	}
}

// trouble describes an error of DynamoDB or the network by its code or kind, without its message.
func trouble(err error) string {
	var ended *errs.EndedError
	var api smithy.APIError
	var late interface{ Timeout() bool }
	switch {
	case errors.As(err, &ended):
		return trouble(ended.End) + "; the last attempt before it: " + trouble(ended.Last)
	case errors.Is(err, errs.Unprocessed):
		return errs.Unprocessed.Error()
	case errors.As(err, &api):
		return api.ErrorCode()
	case errors.Is(err, context.Canceled):
		return context.Canceled.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded.Error()
	case errors.As(err, &late) && late.Timeout():
		return "no reply in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the connection broke"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	default:
		return "the request failed"
	}
}

// Unwrap returns the sentinel error and the cause.
func (e OpError) Unwrap() []error {
	var list []error
	if e.Kind != nil {
		list = append(list, e.Kind)
	}
	if e.Err != nil {
		list = append(list, e.Err)
	}
	return list
}

// Format prints the text of Error for every verb, because %+v and %#v of the fields would print the
// key.
func (e OpError) Format(s fmt.State, verb rune) { formatError(s, verb, e.Error()) }

func formatError(s fmt.State, verb rune, text string) {
	if verb == 'q' {
		text = strconv.Quote(text)
	}
	_, _ = io.WriteString(s, text)
}

// LogValue returns the non-empty fields. It omits the outcome if the operation is not a write.
func (e OpError) LogValue() slog.Value {
	var list []slog.Attr
	for _, a := range []slog.Attr{
		slog.String("op", e.Op), slog.String("entity", e.Entity), slog.String("table", e.Table), slog.String("index", e.Index),
		slog.String("reason", e.reason()), slog.String("hint", e.Hint), slog.String("outcome", e.outcome()),
		slog.String("request_id", e.RequestID), slog.Int("attempts", e.Attempts),
	} {
		if !a.Value.Equal(slog.StringValue("")) && !a.Value.Equal(slog.IntValue(0)) {
			list = append(list, a)
		}
	}
	return slog.GroupValue(list...)
}

// outcome returns the text of the outcome, or "" if the operation is not a write.
func (e OpError) outcome() string {
	if e.Outcome == NoWrite {
		return ""
	}
	return e.Outcome.String()
}

// MarshalJSON returns what LogValue returns, as JSON.
func (e OpError) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Op       string `json:"op"`
		Entity   string `json:"entity,omitempty"`
		Table    string `json:"table,omitempty"`
		Index    string `json:"index,omitempty"`
		Reason   string `json:"reason"`
		Hint     string `json:"hint,omitempty"`
		Outcome  string `json:"outcome,omitempty"`
		Request  string `json:"request_id,omitempty"`
		Attempts int    `json:"attempts,omitempty"`
	}{e.Op, e.Entity, e.Table, e.Index, e.reason(), e.Hint, e.outcome(), e.RequestID, e.Attempts})
}
