package tx_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/canaries"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/tx"
)

// leaky is a service whose replies to transactions are random, with a canary in every place that
// can hold a value.
type leaky struct {
	*rand.Rand
	next dynamodb.HTTPClient
}

func (l *leaky) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if !strings.HasPrefix(operation, "Transact") {
		return l.next.Do(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var in struct{ TransactItems []any }
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	item := l.pick(
		`{"PK":{"S":"SKU#CANARY"},"SK":{"S":"STOCK"},"_type":{"S":"stock"},"sku":{"S":"CANARY"},"count":{"N":"731629931"}}`,
		`{"PK":{"S":"SKU#CANARY"},"SK":{"S":"STOCK"},"_type":{"S":"stock"},"count":{"S":"CANARY"}}`,
		`{"PK":{"S":"CANARY"},"_type":{"S":"CANARY"}}`)
	switch l.IntN(8) {
	case 0:
		return l.reply(400, `{"__type":"x#ValidationException","message":"the value CANARY"}`), nil
	case 1:
		return l.reply(400, `{"__type":"x#IdempotentParameterMismatchException","message":"CANARY"}`), nil
	case 2:
		return l.reply(500, `{"__type":"x#InternalServerError","message":"CANARY"}`), nil
	case 3:
		return l.reply(200, `{"Responses":[{"Item":{"CANARY`), nil
	case 4:
		return nil, errors.New("CANARY " + r.URL.String())
	case 5:
		responses := strings.TrimSuffix(strings.Repeat(`{"Item":`+item+`},`, len(in.TransactItems)), ",")
		return l.reply(200, `{"Responses":[`+responses+`]}`), nil
	}
	var reasons []string
	for range in.TransactItems {
		reasons = append(reasons, l.pick(
			`{"Code":"None"}`,
			`{"Code":"ConditionalCheckFailed","Message":"CANARY","Item":`+item+`}`,
			`{"Code":"ConditionalCheckFailed","Message":"CANARY"}`,
			`{"Code":"ValidationError","Message":"CANARY item size"}`,
			`{"Code":"ItemCollectionSizeLimitExceeded","Message":"CANARY"}`))
	}
	return l.reply(400, fmt.Sprintf(`{"__type":"x#TransactionCanceledException","message":"CANARY","CancellationReasons":[%s]}`, strings.Join(reasons, ","))), nil
}

func (l *leaky) pick(texts ...string) string { return texts[l.IntN(len(texts))] }

func (l *leaky) reply(status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amzn-Requestid": {"REQ1"}},
		ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body)),
	}
}

// operation returns a random operation full of canaries, in some cases with a mistake.
func (l *leaky) operation(s *shop) entity.Operation {
	n := fmt.Sprint(canaries.Text, l.IntN(50))
	one := stock{SKU: n, Count: canaries.Number, Note: canaries.Text}
	o := order{Customer: n, ID: canaries.Text, Status: canaries.Text, Total: canaries.Number, Version: canaries.Number}
	switch l.IntN(14) {
	case 0:
		one.Note = canaries.Text + "\xff"
	case 1:
		one.Note = strings.Repeat(canaries.Text, 80_000)
	case 2:
		o.ID, one.SKU = "", ""
	case 3:
		o.Total = -canaries.Number
	}
	switch l.IntN(10) {
	case 0:
		return s.stock.Op().Create(&one)
	case 1:
		return s.stock.Op().Put(&one, stockNote.Eq(canaries.Text))
	case 2:
		return s.orders.Op().Put(&o)
	case 3:
		return s.orders.Op().Overwrite(&o)
	case 4:
		return s.stock.Op().Update(one, attr.Add(count, canaries.Number), attr.If(stockNote.Ne(one.Note)))
	case 5:
		return s.stock.Op().Upsert(one, stockNote.Set(one.Note))
	case 6:
		return s.stock.Op().Delete(one, count.Eq(canaries.Number))
	case 7:
		return s.stock.Op().Check(one, attr.ContainsText(stockNote, canaries.Text))
	case 8:
		return tx.Move(s.orders, o, &order{Customer: n, ID: canaries.Text + "2", Status: canaries.Text})
	default:
		return s.stock.Op().Put(&one).Once(canaries.Text)
	}
}

// No error, explanation or event of a transaction prints a value, in any format. The SDK's own
// errors do.
func TestTransactionsPrintNoValue(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	l := &leaky{Rand: testrand.New(t)}
	var seen []trestle.Event
	client := ddbtest.Start(t).Client(func(o *dynamodb.Options) { l.next, o.HTTPClient = o.HTTPClient, l })
	s := newShop(t, client, func(c *entity.Config) {
		c.Observer = trestle.ObserverFunc(func(_ context.Context, e trestle.Event) { seen = append(seen, e) })
	})
	s.create(t)
	var lines bytes.Buffer
	log := trestle.SlogObserver(slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug})))
	kinds, canceled, limits, explained, leaks := map[string]int{}, 0, 0, 0, 0
	wanted := testsize.Pick(400, 2000, 20_000)
	for i := 0; i < wanted || len(kinds) < 7 && i < 20_000; i++ { // one of 500 has the rarest kind
		seen = seen[:0]
		ops := []entity.Operation{s.events.Op().Put(&event{ID: canaries.Text, Text: canaries.Text})}
		for range l.IntN(4) {
			ops = append(ops, l.operation(s))
		}
		if l.IntN(20) == 0 {
			ops = append(ops, s.puts(100)...)
		}
		w := tx.NewWrite(ops...)
		if l.IntN(4) == 0 {
			w = w.Once(canaries.Text)
		}
		if x, err := w.Explain(); err == nil {
			explained++
			require.Empty(t, canaries.Printed(x))
			require.Empty(t, canaries.Printed(x.Conflicts()))
		}
		_, err := w.Do(t.Context())
		if l.IntN(4) == 0 {
			var a, b *stock
			var o *order
			example := stock{SKU: canaries.Text + l.pick("", "\xff")}
			err = tx.Read(t.Context(), tx.Get(s.stock, example, &a), tx.Get(s.stock, example, &b), tx.Get(s.orders, order{Customer: canaries.Text, ID: canaries.Text}, &o))
		}
		if err == nil {
			continue
		}
		require.Empty(t, canaries.Failed(err))
		for _, kind := range []error{trestle.ErrInvalid, trestle.ErrLimit, trestle.ErrUnknown, trestle.ErrCondition, trestle.ErrExists, trestle.ErrNotFound, trestle.ErrStale} {
			if errors.Is(err, kind) {
				kinds[kind.Error()]++
			}
		}
		if c := (*tx.CanceledError)(nil); errors.As(err, &c) {
			canceled++
			require.Empty(t, canaries.Failed(c))
			require.Empty(t, canaries.Failed(*c), "a copy prints no more")
			for _, f := range c.Failures {
				require.Empty(t, canaries.Printed(f))
				require.Empty(t, canaries.Printed(&f))
				require.Empty(t, canaries.Failed(f.Err))
			}
			require.Empty(t, canaries.Printed(c.Failures))
		}
		if limit := (*tx.LimitError)(nil); errors.As(err, &limit) {
			limits++
			require.Empty(t, canaries.Failed(limit))
			require.Empty(t, canaries.Failed(*limit))
		}
		for _, e := range seen {
			require.Empty(t, canaries.Printed(e))
			lines.Reset()
			log.End(t.Context(), e)
			require.False(t, canaries.In(lines.String()), "%s", &lines)
		}
		if sdk := (*smithy.OperationError)(nil); errors.As(err, &sdk) && canaries.Printed(sdk) != "" {
			leaks++
		}
	}
	t.Logf("%v, %d canceled, %d limits, %d explained; the SDK's own errors leak %d times", kinds, canceled, limits, explained, leaks)
	require.Len(t, kinds, 7)
	require.Positive(t, canceled)
	require.Positive(t, limits)
	require.Positive(t, explained)
	require.Greater(t, leaks, wanted/5, "the negative control, of every second")
}

// The text of an error lists the failure of each operation, and the JSON has them as fields.
func TestTextOfCanceledError(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		s.reset(t)
		again := order{Customer: "ann", ID: "1"}
		err := tx.Write(t.Context(), s.orders.Op().Create(&again), s.stock.Op().Check(stock{SKU: "none"}))
		var canceled *tx.CanceledError
		require.ErrorAs(t, err, &canceled)
		for _, text := range []string{err.Error(), canceled.Error(), fmt.Sprintf("%+v", *canceled), fmt.Sprintf("%q", canceled)} {
			require.Contains(t, text, "operation 0 (create order)")
			require.Contains(t, text, "operation 1 (check stock)")
		}
		body, err := json.Marshal(canceled)
		require.NoError(t, err)
		var decoded struct {
			Failures []struct {
				Operation int
				Code      string
				Error     struct{ Op, Entity, Table, Reason, Outcome string }
			}
		}
		require.NoError(t, json.Unmarshal(body, &decoded))
		require.Len(t, decoded.Failures, 2)
		require.Equal(t, 1, decoded.Failures[1].Operation)
		require.Equal(t, "ConditionalCheckFailed", decoded.Failures[1].Code)
		require.Equal(t, "stock", decoded.Failures[1].Error.Entity)
		require.Equal(t, "not applied", decoded.Failures[1].Error.Outcome)
		var b bytes.Buffer
		slog.New(slog.NewJSONHandler(&b, nil)).Info("failed", "err", canceled)
		require.Contains(t, b.String(), "operation_1")
	})
}

// A zero CanceledError, and one without the errors of its operations, print without a panic.
func TestZeroCanceledError(t *testing.T) {
	t.Parallel()
	for _, e := range []tx.CanceledError{{}, {Failures: []tx.Failure{{Operation: 3}}}} {
		require.NotEmpty(t, e.Error())
		require.NotErrorIs(t, e, trestle.ErrCondition)
		_, err := json.Marshal(e)
		require.NoError(t, err)
		require.NotEmpty(t, fmt.Sprintf("%v %+v %#v %q", e, e, e, e))
		_ = e.LogValue()
	}
}
