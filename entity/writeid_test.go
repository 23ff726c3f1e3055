package entity_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testfaults"
)

// writesWithID returns the writes of which the item has an ID.
func writesWithID() (list []write) {
	for _, w := range writes() {
		if w.kind == withID {
			list = append(list, w)
		}
	}
	return list
}

// written returns the key of the item that a write stores.
func written(t *testing.T, o *office, w write) map[string]types.AttributeValue {
	t.Helper()
	key, err := o.Accounts.KeyOf(annKey())
	if w.name == "create" {
		key, err = o.Notes.KeyOf(note{ID: "m"})
	}
	require.NoError(t, err)
	return key
}

// The reply to a write is lost, and another client writes the item before the retry. The retry
// recognizes the write by its ID. If the ID is gone, the outcome is unknown: never a conflict, and
// never an error of the caller's making.
func TestWriteIDsTellOwnWritesFromOthers(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, f := newFaulty(t, e)
		o := newOffice(t, client)
		require.NoError(t, o.table.Create(t.Context()))
		// Each leaves the item with the write's ID, with another ID, without one, or deletes it.
		others := []struct {
			name     string
			requests int
			keeps    bool
			change   func(t *testing.T, key map[string]types.AttributeValue)
		}{
			{"nobody", 0, true, func(*testing.T, map[string]types.AttributeValue) {}},
			{"a change", 1, true, func(t *testing.T, key map[string]types.AttributeValue) {
				t.Helper()
				update(t, client, key, "ADD #n :one", map[string]string{"#n": "logins"}, map[string]types.AttributeValue{":one": avN("1")})
			}},
			{"a write with another ID", 1, false, func(t *testing.T, key map[string]types.AttributeValue) {
				t.Helper()
				update(t, client, key, "SET #w = :w ADD #v :one", map[string]string{"#w": "_w", "#v": "version"},
					map[string]types.AttributeValue{":w": &types.AttributeValueMemberB{Value: []byte("another's id")}, ":one": avN("1")})
			}},
			{"a write without an ID", 1, false, func(t *testing.T, key map[string]types.AttributeValue) {
				t.Helper()
				update(t, client, key, "REMOVE #w ADD #v :one", map[string]string{"#w": "_w", "#v": "version"}, map[string]types.AttributeValue{":one": avN("1")})
			}},
		}
		tried := 0
		for _, w := range writesWithID() {
			for _, now := range testfaults.All() {
				if !now.Retried || now.Known || !now.After {
					continue
				}
				for _, other := range others {
					furnish(t, o)
					key := written(t, o, w)
					f.Sent.Store(0)
					f.Then = func() { other.change(t, key) }
					f.Fault.Store(&now)
					err := w.call(t.Context(), o)
					f.Then = nil
					if other.keeps {
						requireOutcome(t, err, nil, trestle.Applied)
					} else {
						requireOutcome(t, err, trestle.ErrUnknown, trestle.Unknown)
						require.ErrorAs(t, err, new(*types.ConditionalCheckFailedException))
					}
					require.EqualValues(t, 2+other.requests, f.Sent.Load(), "%s, %s, then %s", w.name, now.Name, other.name)
					tried++
				}
			}
		}
		require.Greater(t, tried, 40)
	})
}

func update(t *testing.T, c *dynamodb.Client, key map[string]types.AttributeValue, expression string, names map[string]string, values map[string]types.AttributeValue) {
	t.Helper()
	_, err := c.UpdateItem(context.WithoutCancel(t.Context()), &dynamodb.UpdateItemInput{
		TableName: aws.String("office"), Key: key, UpdateExpression: &expression, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	})
	require.NoError(t, err)
}

// The SDK alone repeats a conditional put whose reply was lost, and then reports a conflict with
// its own write.
func TestSDKAloneReportsAConflictWithItself(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, f := newFaulty(t, e)
		o := newOffice(t, client)
		require.NoError(t, o.table.Create(t.Context()))
		item, err := o.Notes.Encode(&note{ID: "m", Text: "x"})
		require.NoError(t, err)
		for _, now := range testfaults.All() {
			if !now.After || now.Reply == nil {
				continue
			}
			furnish(t, o)
			f.Fault.Store(&now)
			_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{
				TableName: aws.String("office"), Item: item, ConditionExpression: aws.String("attribute_not_exists(PK)"),
			})
			require.ErrorAs(t, err, new(*types.ConditionalCheckFailedException), now.Name)
			require.NotNil(t, o.storedNote(t, "m"))

			furnish(t, o)
			f.Fault.Store(&now)
			require.NoError(t, o.notes.Create(t.Context(), &note{ID: "m", Text: "x"}), now.Name)
		}
	})
}

// An attempt may arrive late: after the retry, and after another client's write. A write with an ID
// is applied once, and the other write stays.
func TestLateAttemptsChangeNothing(t *testing.T) {
	t.Parallel()
	for _, late := range []ddbtest.Fault{ddbtest.LateDuplicate, ddbtest.LateDuplicateAfterWrite} {
		for _, w := range writesWithID() {
			db := ddbtest.Start(t)
			o := newOffice(t, db.Client())
			require.NoError(t, o.table.Create(t.Context()))
			furnish(t, o)
			rule := db.Fail(late, ddbtest.First(1), ddbtest.Op("PutItem", "UpdateItem"))
			require.NoError(t, w.call(t.Context(), o), w.name)
			require.Equal(t, 1, w.applied(t, o), w.name)
			require.Equal(t, 1, rule.Hits())
			before := stored(t, o.client, "office", written(t, o, w))
			update(t, o.client, written(t, o, w), "SET #n = :n", map[string]string{"#n": "note"}, map[string]types.AttributeValue{":n": avS("another's")})
			db.DeliverLate()
			require.Empty(t, db.Pending())
			after := stored(t, o.client, "office", written(t, o, w))
			before["note"] = avS("another's")
			require.Equal(t, before, after, w.name)
			arrived := 0
			for _, r := range db.Requests() {
				if r.Late {
					arrived++
					require.Equal(t, "ConditionalCheckFailedException", r.ErrorCode)
				}
			}
			require.Equal(t, 1, arrived, w.name)
		}
	}
}

// An addition that the SDK alone repeats is applied twice if its first attempt arrives late.
func TestSDKAloneAppliesLateAttempts(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	o := newOffice(t, db.Client())
	require.NoError(t, o.table.Create(t.Context()))
	furnish(t, o)
	key, err := o.Notes.KeyOf(note{ID: "n"})
	require.NoError(t, err)
	db.Fail(ddbtest.LateDuplicate, ddbtest.First(1), ddbtest.Op("UpdateItem"))
	update(t, o.client, key, "ADD #n :one", map[string]string{"#n": "count"}, map[string]types.AttributeValue{":one": avN("1")})
	require.Equal(t, 2, counted(t, o))

	furnish(t, o)
	db.Fail(ddbtest.LateDuplicate, ddbtest.First(1), ddbtest.Op("UpdateItem"))
	_, err = o.notes.Update(t.Context(), note{ID: "n"}, attr.Add(noteCount, 1))
	requireOutcome(t, err, trestle.ErrUnknown, trestle.Unknown)
	db.DeliverLate()
	require.Equal(t, 1, counted(t, o), "the library repeats no addition")
}

// A put or an update that returns the item before it has no ID and is not repeated, because the
// repetition could not return that item.
func TestWritesThatReturnTheOldItemAreNotRepeated(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, f := newFaulty(t, e)
		o := newOffice(t, client)
		require.NoError(t, o.table.Create(t.Context()))
		a := annOf(1)
		for _, op := range []*entity.Op[account]{
			o.accounts.Op().Put(&a).Return(trestle.AllOld),
			o.accounts.Op().Update(a, accLogins.Set(4)).Return(trestle.AllOld),
			o.accounts.Op().Update(a, accLogins.Set(4)).Return(trestle.UpdatedOld),
		} {
			for _, now := range testfaults.All() {
				if !now.Retried || now.Known {
					continue
				}
				furnish(t, o)
				a = annOf(1)
				f.Sent.Store(0)
				f.Fault.Store(&now)
				_, err := op.Do(t.Context())
				requireOutcome(t, err, trestle.ErrUnknown, trestle.Unknown)
				require.EqualValues(t, 1, f.Sent.Load())
			}
		}
	})
}

// The item that an update returns is the stored one, also if the reply to its first attempt was
// lost.
func TestUpdateReturnsTheItemAfterALostReply(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, f := newFaulty(t, e)
		o := newOffice(t, client)
		require.NoError(t, o.table.Create(t.Context()))
		for _, now := range testfaults.All() {
			if !now.Retried {
				continue
			}
			furnish(t, o)
			f.Fault.Store(&now)
			got, err := o.accounts.Update(t.Context(), annOf(1), accLogins.Set(4))
			require.NoError(t, err)
			want, err := o.accounts.Strong().Get(t.Context(), annKey())
			require.NoError(t, err)
			require.Equal(t, want, got, now.Name)
			require.EqualValues(t, 2, got.Version)
		}
	})
}

// Each write has an ID of its own. The ID is not shown as an attribute of the item.
func TestWriteIDs(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		furnish(t, o)
		seen := map[string]bool{}
		for range 20 {
			id, ok := o.storedAccount(t, "acme", "ann")["_w"].(*types.AttributeValueMemberB)
			require.True(t, ok)
			require.Len(t, id.Value, 12)
			require.False(t, seen[string(id.Value)])
			seen[string(id.Value)] = true
			a, err := o.accounts.Strong().Get(t.Context(), annKey())
			require.NoError(t, err)
			require.Empty(t, a.Rest, "the ID is no unknown attribute")
			require.NoError(t, o.accounts.Put(t.Context(), &a))
		}
		in, err := o.accounts.Op().Create(&account{Org: "acme", ID: "bob"}).Input()
		require.NoError(t, err)
		require.NotContains(t, in.Put.Item, "_w")
		require.NoError(t, testchecks.Items(t.Context(), o.table, 10))

		named := newOffice(t, o.client, func(c *entity.Config) { c.WriteID = "write" })
		require.NoError(t, named.accounts.Create(t.Context(), &account{Org: "acme", ID: "eve"}))
		require.Contains(t, named.storedAccount(t, "acme", "eve"), "write")
		none := newOffice(t, o.client, func(c *entity.Config) { c.WriteID = entity.None })
		require.NoError(t, none.accounts.Create(t.Context(), &account{Org: "acme", ID: "joe"}))
		require.NotContains(t, none.storedAccount(t, "acme", "joe"), "_w")
		require.NotContains(t, o.storedNote(t, "n"), "_w", "an unconditional put needs none")
	})
}

// A write with a token has no ID: its repetition must be the same request.
func TestWritesWithTokensHaveNoID(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o *office) {
		furnish(t, o)
		_, err := o.notes.Op().Create(&note{ID: "m"}).Once("token").Do(t.Context())
		require.NoError(t, err)
		require.NotContains(t, o.storedNote(t, "m"), "_w")
		_, err = o.notes.Op().Create(&note{ID: "m"}).Once("token").Do(t.Context())
		require.NoError(t, err)
	})
}
