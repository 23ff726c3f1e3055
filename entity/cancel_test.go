package entity_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
)

// cancelableCall is a call of the library.
type cancelableCall struct {
	name      string
	do        func(ctx context.Context) error
	write     bool
	retried   bool // also after a lost reply
	readFirst bool // it reads before it writes
	batch     bool // it sends BatchWriteItem
}

// cancelableCalls are the calls of a club and a hotel in the same database.
func cancelableCalls(c *club, h *hotel) []cancelableCall {
	ann, g := member{ID: "ann"}, booking{Place: "p", ID: "1", Guest: "g", Expires: expiry}
	versioned := account{Org: "acme", ID: "ann", Version: 1}
	first := h.accounts.With(entity.ReadFirst())
	list := []cancelableCall{
		{name: "get", do: func(ctx context.Context) error { _, err := h.notes.Get(ctx, note{ID: "n"}); return err }},
		{name: "get many", do: func(ctx context.Context) error {
			_, err := h.notes.GetMany(ctx, []note{{ID: "n"}, {ID: "m"}})
			return err
		}},
		{name: "check guards", do: func(ctx context.Context) error { return testchecks.Guards(ctx, c.table) }},
		{name: "repair guards", do: func(ctx context.Context) error {
			_, err := maintain.RepairGuards(ctx, c.table, maintain.Run{})
			return err
		}},
		{name: "check items", do: func(ctx context.Context) error { return testchecks.Items(ctx, c.table, 100) }},
	}
	write := func(name string, retried, readFirst bool, do func(ctx context.Context) error) {
		list = append(list, cancelableCall{name, do, true, retried, readFirst, strings.HasSuffix(name, "many")})
	}
	write("create", true, false, func(ctx context.Context) error { return h.notes.Create(ctx, &note{ID: "new"}) })
	write("put", true, false, func(ctx context.Context) error { n := note{ID: "n"}; return h.notes.Put(ctx, &n) })
	write("put, conditional", false, false, func(ctx context.Context) error { return h.notes.Put(ctx, &note{ID: "n"}, noteCount.Eq(0)) })
	write("put a version", true, false, func(ctx context.Context) error { a := versioned; return h.accounts.Put(ctx, &a) })
	write("overwrite", true, true, func(ctx context.Context) error {
		a := account{Org: "acme", ID: "ann"}
		return h.accounts.Overwrite(ctx, &a)
	})
	write("update", false, false, func(ctx context.Context) error {
		_, err := h.notes.Update(ctx, note{ID: "n"}, attr.Add(noteCount, 1))
		return err
	})
	write("update, reading first", false, true, func(ctx context.Context) error {
		_, err := first.Update(ctx, account{Org: "acme", ID: "ann"}, accMail.Set("new@example.com"))
		return err
	})
	write("update with a token", true, false, func(ctx context.Context) error {
		_, err := h.notes.Op().Update(note{ID: "n"}, attr.Add(noteCount, 1)).Once("token").Do(ctx)
		return err
	})
	write("upsert", true, false, func(ctx context.Context) error {
		_, err := h.notes.Upsert(ctx, note{ID: "n"}, noteText.Set("x"))
		return err
	})
	write("delete", true, false, func(ctx context.Context) error { return h.notes.Delete(ctx, note{ID: "n"}) })
	write("create, unique", true, false, func(ctx context.Context) error {
		return c.members.Create(ctx, &member{ID: "new", Email: "new@example.com"})
	})
	write("put, unique", true, true, func(ctx context.Context) error { m := ann; m.Email = "x@example.com"; return c.members.Put(ctx, &m) })
	write("update, unique", true, true, func(ctx context.Context) error {
		_, err := c.members.Update(ctx, ann, memEmail.Set("y@example.com"))
		return err
	})
	write("delete, unique", true, true, func(ctx context.Context) error { return c.members.Delete(ctx, ann) })
	write("put many", true, false, func(ctx context.Context) error {
		own := g
		return h.bookings.PutMany(ctx, slices.Values([]*booking{&own}))
	})
	write("delete many", true, false, func(ctx context.Context) error { return h.bookings.DeleteMany(ctx, slices.Values([]booking{g})) })
	write("write many", true, false, func(ctx context.Context) error {
		own := g
		return entity.WriteMany(ctx, operations(h.bookings.Op().Put(&own), h.notes.Op().Create(&note{ID: "new"})), entity.Concurrency(1))
	})
	return list
}

// The operations of requests that read and write.
var (
	readRequests  = ddbtest.Op("GetItem", "BatchGetItem", "Query", "Scan")
	writeRequests = ddbtest.Op("PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem")
)

// withCancelable runs f in a bubble, on a new club and a new hotel with items.
func withCancelable(t *testing.T, f func(t *testing.T, db *ddbtest.DB, calls []cancelableCall), options ...func(*dynamodb.Options)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		c, h := newClub(t, db.Client(options...)), newHotel(t, db.Client(options...), "hotel")
		require.NoError(t, c.table.Create(t.Context()))
		require.NoError(t, h.table.Create(t.Context()))
		require.NoError(t, c.members.Create(t.Context(), &member{ID: "ann", Email: "ann@example.com"}))
		require.NoError(t, h.notes.Put(t.Context(), &note{ID: "n"}))
		require.NoError(t, h.accounts.Put(t.Context(), &account{Org: "acme", ID: "ann"}))
		f(t, db, cancelableCalls(c, h))
	})
}

// token reports whether the call has a token of the caller: an earlier one may have been applied.
func (c cancelableCall) token() bool { return strings.HasSuffix(c.name, "with a token") }

// A call returns at once when its context is canceled: while a request is under way, and in the
// pause before the next attempt. A write is unknown exactly if an attempt may have been applied.
func TestCanceledCalls(t *testing.T) {
	t.Parallel()
	canceled := 0
	for name, m := range map[string]struct {
		effect  ddbtest.Effect
		request ddbtest.RuleOption
		affects func(cancelableCall) bool
		want    trestle.Outcome
	}{
		"a read hangs":                {ddbtest.Hang, readRequests, func(c cancelableCall) bool { return !c.write }, trestle.NoWrite},
		"pause of a throttled read":   {ddbtest.Throttle(), readRequests, func(c cancelableCall) bool { return !c.write }, trestle.NoWrite},
		"pause of a lost read":        {ddbtest.Reset, readRequests, func(c cancelableCall) bool { return !c.write }, trestle.NoWrite},
		"the first read hangs":        {ddbtest.Hang, readRequests, func(c cancelableCall) bool { return c.readFirst }, trestle.NotApplied},
		"pause of the first read":     {ddbtest.InternalError, readRequests, func(c cancelableCall) bool { return c.readFirst }, trestle.NotApplied},
		"a write hangs":               {ddbtest.Hang, writeRequests, func(c cancelableCall) bool { return c.write }, trestle.Unknown},
		"an applied write hangs":      {ddbtest.AfterCommit(ddbtest.Hang), writeRequests, func(c cancelableCall) bool { return c.write }, trestle.Unknown},
		"pause of a conflict":         {ddbtest.Conflict, ddbtest.Op("PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"), func(c cancelableCall) bool { return c.write && !c.batch }, trestle.NotApplied},
		"pause of unprocessed writes": {ddbtest.Unprocessed(25), ddbtest.Op("BatchWriteItem"), func(c cancelableCall) bool { return c.batch }, trestle.NotApplied},
		"pause of a throttled write":  {ddbtest.Throttle(), writeRequests, func(c cancelableCall) bool { return c.write && !c.token() }, trestle.NotApplied},
		"pause of a throttled token":  {ddbtest.Throttle(), writeRequests, cancelableCall.token, trestle.Unknown},
		"pause of a lost write":       {ddbtest.Reset, writeRequests, func(c cancelableCall) bool { return c.write && c.retried }, trestle.Unknown},
		"pause of a failed write":     {ddbtest.AfterCommit(ddbtest.InternalError), writeRequests, func(c cancelableCall) bool { return c.write && c.retried }, trestle.Unknown},
	} {
		withCancelable(t, func(t *testing.T, db *ddbtest.DB, calls []cancelableCall) {
			before := db.Snapshot()
			for _, call := range calls {
				db.Restore(before)
				rule := db.Fail(m.effect, m.request)
				issue, err := engines.CancelIssue(t.Context(), call.do)
				rule.Remove()
				if !m.affects(call) {
					continue
				}
				canceled++
				require.Empty(t, issue, "%s: %s", name, call.name)
				require.Equal(t, m.want, trestle.OutcomeOf(err), "%s: %s", name, call.name)
				require.Positive(t, rule.Hits(), "%s: %s", name, call.name)
				require.Empty(t, db.Pending(), "%s: %s", name, call.name)
			}
		})
	}
	t.Logf("%d calls", canceled)
}

// The negative controls: a call that waits for its reply or for its pause is found, and one whose
// error does not tell.
func TestCancelIssueFindsCallsThatWait(t *testing.T) {
	t.Parallel()
	withCancelable(t, func(t *testing.T, db *ddbtest.DB, _ []cancelableCall) {
		put := func(ctx context.Context) error {
			_, err := db.Client().PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("hotel"), Item: avMap{"PK": avS("x"), "SK": avS("x")}})
			return err
		}
		db.Fail(ddbtest.Delay(time.Second), ddbtest.Op("PutItem"))
		for name, call := range map[string]func(context.Context) error{
			"waits for the reply": func(ctx context.Context) error { return errors.Join(put(context.WithoutCancel(ctx)), ctx.Err()) },
			"waits for a pause":   func(ctx context.Context) error { <-time.After(time.Second); return ctx.Err() },
			"hides the reason":    func(ctx context.Context) error { return fmt.Errorf("%v", put(ctx)) },
			"does not wait":       func(context.Context) error { return nil },
		} {
			issue, _ := engines.CancelIssue(t.Context(), call)
			require.NotEmpty(t, issue, name)
		}
	})
}
