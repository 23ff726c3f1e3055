package entity_test

import (
	"context"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

// newFaulty returns a client of the engine whose writes can be made to fail.
func newFaulty(t testing.TB, e engines.Engine) (*dynamodb.Client, *testfaults.Transport) {
	t.Helper()
	f := &testfaults.Transport{}
	return e.Client(t, f.Install), f
}

// write is a write with a countable effect, on the note n with count 1, or on ann with version 1.
type write struct {
	name    string
	kind    writeKind
	call    func(ctx context.Context, o *office) error
	applied func(t *testing.T, o *office) int
}

// writeKind is why a write can be repeated after a lost reply.
type writeKind uint8

const (
	unrepeatable writeKind = iota
	idempotent
	withID // the item has the ID of the write
)

// counted returns how often the count of the note was incremented.
func counted(t *testing.T, o *office) int {
	t.Helper()
	return number(t, o.storedNote(t, "n")["count"]) - 1
}

// became returns 1 if the text of the note n was written.
func became(text string) func(*testing.T, *office) int {
	return func(t *testing.T, o *office) int {
		t.Helper()
		return one(o.storedNote(t, "n")["text"], avS(text))
	}
}

func gone(t *testing.T, o *office) int {
	t.Helper()
	if o.storedNote(t, "n") == nil {
		return 1
	}
	return 0
}

// versioned returns how often the version of ann was incremented.
func versioned(t *testing.T, o *office) int {
	t.Helper()
	return number(t, o.storedAccount(t, "acme", "ann")["version"]) - 1
}

func one(a, b types.AttributeValue) int {
	x, ok := a.(*types.AttributeValueMemberS)
	if ok && x.Value == b.(*types.AttributeValueMemberS).Value {
		return 1
	}
	return 0
}

func number(t *testing.T, av types.AttributeValue) int {
	t.Helper()
	n, ok := av.(*types.AttributeValueMemberN)
	require.True(t, ok)
	return int(n.Value[0] - '0')
}

func writes() []write {
	n := note{ID: "n"}
	update := func(c attr.Change[note], more ...attr.Change[note]) func(context.Context, *office) error {
		return func(ctx context.Context, o *office) error {
			_, err := o.notes.Update(ctx, n, c, more...)
			return err
		}
	}
	return []write{
		{"create", withID, func(ctx context.Context, o *office) error { return o.notes.Create(ctx, &note{ID: "m", Text: "x"}) },
			func(t *testing.T, o *office) int { t.Helper(); return one(o.storedNote(t, "m")["text"], avS("x")) }},
		{"put", idempotent, func(ctx context.Context, o *office) error { return o.notes.Put(ctx, &note{ID: "n", Text: "x"}) }, became("x")},
		{"put on a condition", unrepeatable, func(ctx context.Context, o *office) error {
			return o.notes.Put(ctx, &note{ID: "n", Text: "x"}, noteCount.Eq(1))
		}, became("x")},
		{"put a version", withID, func(ctx context.Context, o *office) error { a := annOf(1); return o.accounts.Put(ctx, &a) }, versioned},
		{"overwrite", idempotent, func(ctx context.Context, o *office) error { return o.notes.Overwrite(ctx, &note{ID: "n", Text: "x"}) }, became("x")},
		{"overwrite a version", withID, func(ctx context.Context, o *office) error { a := annKey(); return o.accounts.Overwrite(ctx, &a) }, versioned},
		{"set", idempotent, update(noteText.Set("x")), became("x")},
		{"set on a condition", unrepeatable, update(noteText.Set("x"), attr.If(noteCount.Eq(1))), became("x")},
		{"add", unrepeatable, update(attr.Add(noteCount, 1)), counted},
		{"add on a condition", unrepeatable, update(attr.Add(noteCount, 1), attr.If(noteCount.Lt(5))), counted},
		{"update, versioned", unrepeatable, func(ctx context.Context, o *office) error {
			_, err := o.accounts.Update(ctx, annKey(), accLogins.Set(4))
			return err
		}, versioned},
		{"update a version", withID, func(ctx context.Context, o *office) error {
			_, err := o.accounts.Update(ctx, annOf(1), accLogins.Set(4))
			return err
		}, versioned},
		{"update, reading first", unrepeatable, func(ctx context.Context, o *office) error {
			_, err := o.accounts.With(entity.ReadFirst()).Update(ctx, annKey(), accStatus.Set("x"))
			return err
		}, versioned},
		{"upsert", idempotent, func(ctx context.Context, o *office) error {
			_, err := o.notes.Upsert(ctx, n, noteText.Set("x"))
			return err
		}, became("x")},
		{"delete", idempotent, func(ctx context.Context, o *office) error { return o.notes.Delete(ctx, n) }, gone},
		{"put many", idempotent, func(ctx context.Context, o *office) error {
			return o.notes.PutMany(ctx, slices.Values([]*note{{ID: "n", Text: "x"}}))
		}, became("x")},
		{"put many, versioned", withID, func(ctx context.Context, o *office) error {
			a := annOf(1)
			return o.accounts.PutMany(ctx, slices.Values([]*account{&a}))
		}, versioned},
		{"delete many", idempotent, func(ctx context.Context, o *office) error { return o.notes.DeleteMany(ctx, slices.Values([]note{n})) }, gone},
		{"delete on a condition", unrepeatable, func(ctx context.Context, o *office) error { return o.notes.Delete(ctx, n, noteCount.Eq(1)) }, gone},
	}
}

// furnish brings the table into the initial state of the writes.
func furnish(t *testing.T, o *office) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, o.notes.Put(ctx, &note{ID: "n", Count: 1}))
	require.NoError(t, o.notes.Delete(ctx, note{ID: "m"}))
	require.NoError(t, o.accounts.Delete(ctx, annKey()))
	a := ann()
	require.NoError(t, o.accounts.Create(ctx, &a))
}

// For each write and each fault, the number of attempts, the outcome and the stored item agree. No
// write is applied twice. Without write IDs, the writes that need them are not repeated.
func TestEveryWriteWithEveryFault(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, f := newFaulty(t, e)
		with := newOffice(t, client)
		without := newOffice(t, client, func(c *entity.Config) { c.WriteID = entity.None })
		require.NoError(t, with.table.Create(t.Context()))
		lost, certain := 0, 0
		try := func(t *testing.T, o *office, w write, now testfaults.Fault, repeatable bool) {
			t.Helper()
			furnish(t, o)
			f.Sent.Store(0)
			f.Fault.Store(&now)
			err := w.call(t.Context(), o)
			sent, applied := f.Sent.Load(), w.applied(t, o)
			if now.Retried && (repeatable || now.Known) {
				requireOutcome(t, err, nil, trestle.Applied)
				require.EqualValues(t, 2, sent)
				require.Equal(t, 1, applied)
				certain++
				return
			}
			requireOutcome(t, err, trestle.ErrUnknown, trestle.Unknown)
			require.EqualValues(t, 1, sent)
			require.Equal(t, now.After, applied == 1)
			lost++
		}
		for _, w := range writes() {
			for _, now := range testfaults.All() {
				t.Run(w.name+"/"+now.Name, func(t *testing.T) {
					try(t, with, w, now, w.kind != unrepeatable)
					if w.kind == withID {
						try(t, without, w, now, false)
					}
				})
			}
		}
		t.Logf("lost %d, certain %d", lost, certain)
		require.Greater(t, lost, 60)
		require.Greater(t, certain, 60)
	})
}

// The SDK alone retries an ADD whose reply is lost: it acknowledges the write once and applies it
// twice.
func TestSDKAloneAppliesTwice(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, f := newFaulty(t, e)
		o := newOffice(t, client)
		require.NoError(t, o.table.Create(t.Context()))
		for _, now := range testfaults.All() {
			furnish(t, o)
			key, err := o.Notes.KeyOf(note{ID: "n"})
			require.NoError(t, err)
			f.Fault.Store(&now)
			_, err = client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
				TableName: aws.String("office"), Key: key, UpdateExpression: aws.String("ADD #c :c"),
				ExpressionAttributeNames:  map[string]string{"#c": "count"},
				ExpressionAttributeValues: map[string]types.AttributeValue{":c": avN("1")},
			})
			f.Fault.Store(nil)
			switch {
			case now.After && now.Reply != nil:
				require.NoError(t, err, now.Name)
				require.Equal(t, 2, counted(t, o), now.Name)
			case err == nil:
				require.Equal(t, 1, counted(t, o), now.Name)
			}
		}
	})
}

// A SET is retried after a lost reply. If the item was deleted in between, the condition of the
// retry fails, and the outcome is unknown.
func TestFailedConditionAfterALostReplyIsUnknown(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, f := newFaulty(t, e)
		o := newOffice(t, client)
		require.NoError(t, o.table.Create(t.Context()))
		key, err := o.Notes.KeyOf(note{ID: "n"})
		require.NoError(t, err)
		for _, now := range testfaults.All() {
			if !now.Retried || now.Known {
				continue
			}
			furnish(t, o)
			f.Sent.Store(0)
			f.Then = func() {
				_, err := client.DeleteItem(context.WithoutCancel(t.Context()), &dynamodb.DeleteItemInput{TableName: aws.String("office"), Key: key})
				require.NoError(t, err)
			}
			f.Fault.Store(&now)
			_, err := o.notes.Update(t.Context(), note{ID: "n"}, noteText.Set("x"))
			f.Then = nil
			requireOutcome(t, err, trestle.ErrUnknown, trestle.Unknown)
			require.EqualValues(t, 3, f.Sent.Load(), "the update, the other's delete, the update again")
			var e *trestle.OpError
			require.ErrorAs(t, err, &e)
			require.Equal(t, 2, e.Attempts)
			require.Equal(t, key, e.Key)
			require.ErrorAs(t, err, new(*types.ConditionalCheckFailedException), "the SDK's own error is within reach")
		}
	})
}
