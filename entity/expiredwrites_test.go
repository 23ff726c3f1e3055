package entity_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/tx"
)

// permit expires.
type permit struct {
	_       entity.Key `type:"permit" pk:"PERMIT#<id>" sk:"PERMIT"`
	ID      string     `dynamodbav:"id"`
	Owner   string     `dynamodbav:"owner"`
	Uses    int        `dynamodbav:"uses"`
	Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
}

// lanyard expires. It has a version and a unique value.
type lanyard struct {
	_       entity.Key `type:"lanyard" pk:"BADGE#<id>" sk:"BADGE"`
	ID      string     `dynamodbav:"id"`
	Code    string     `dynamodbav:"code" entity:"unique"`
	Name    string     `dynamodbav:"name"`
	Version int64      `dynamodbav:"version" entity:"version"`
	Expires int64      `dynamodbav:"expires" entity:"ttl"`
}

var (
	permitOwner    = attr.Must(func(p *permit) *string { return &p.Owner })
	permitUses     = attr.Must(func(p *permit) *int { return &p.Uses })
	permitExpires  = attr.Must(func(p *permit) *time.Time { return &p.Expires })
	lanyardCode    = attr.Must(func(b *lanyard) *string { return &b.Code })
	lanyardName    = attr.Must(func(b *lanyard) *string { return &b.Name })
	lanyardExpires = attr.Must(func(b *lanyard) *int64 { return &b.Expires })
)

// permitOffice is a table of permits and lanyards. Its clock is ahead of the engine's, which
// therefore deletes no expired item.
type permitOffice struct {
	now      time.Time
	client   *dynamodb.Client
	schema   *entity.Schema
	permits  *entity.Repo[permit]
	lanyards *entity.Repo[lanyard]
	shown    *entity.Repo[permit] // also expired ones
}

func newPermitOffice(t *testing.T, client *dynamodb.Client) *permitOffice {
	t.Helper()
	o := &permitOffice{client: client, now: time.Now().Add(time.Hour).Truncate(time.Second)}
	s := entity.NewSchema(entity.Config{Clock: func() time.Time { return o.now }})
	o.schema = s
	permits, lanyards := entity.Define[permit](s), entity.Define[lanyard](s)
	table, err := s.Open(client, "office")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	o.permits, o.lanyards = permits.In(table), lanyards.In(table)
	o.shown = o.permits.With(entity.ShowExpired())
	return o
}

// expire stores a permit and a lanyard that expire, and moves the clock to that second.
func (o *permitOffice) expire(t *testing.T) {
	t.Helper()
	at := o.now.Add(time.Minute)
	require.NoError(t, o.permits.Put(t.Context(), &permit{ID: "p", Owner: "old", Uses: 7, Expires: at}))
	require.NoError(t, o.lanyards.Overwrite(t.Context(), &lanyard{ID: "b", Code: "c", Name: "old", Expires: at.Unix()}))
	o.now = at
}

// A write treats an expired item as none. The negative control is the same write of an item that
// expires in the next second.
func TestWritesTreatExpiredItemsAsNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		write          func(*testing.T, *permitOffice) error
		expired, alive error  // nil: success
		stored         string // the owner of the permit after the write of an expired one; "": no permit
		uses           int
	}{
		{"create", func(t *testing.T, o *permitOffice) error {
			return o.permits.Create(t.Context(), &permit{ID: "p", Owner: "new"})
		},
			nil, trestle.ErrExists, "new", 0},
		{"create in a transaction", func(t *testing.T, o *permitOffice) error {
			return tx.Write(t.Context(), o.permits.Op().Create(&permit{ID: "p", Owner: "new"}))
		}, nil, trestle.ErrExists, "new", 0},
		{"put", func(t *testing.T, o *permitOffice) error {
			return o.permits.Put(t.Context(), &permit{ID: "p", Owner: "new"})
		},
			nil, nil, "new", 0},
		{"put with a condition that holds", func(t *testing.T, o *permitOffice) error {
			return o.permits.Put(t.Context(), &permit{ID: "p", Owner: "new"}, permitOwner.NotExists())
		}, nil, trestle.ErrCondition, "new", 0},
		{"put with a condition that fails", func(t *testing.T, o *permitOffice) error {
			return o.permits.Put(t.Context(), &permit{ID: "p", Owner: "new"}, permitOwner.Eq("old"))
		}, trestle.ErrCondition, nil, "old", 7},
		{"update", func(t *testing.T, o *permitOffice) error {
			_, err := o.permits.Update(t.Context(), permit{ID: "p"}, permitOwner.Set("new"))
			return err
		}, trestle.ErrNotFound, nil, "old", 7},
		{"update of the time to live", func(t *testing.T, o *permitOffice) error {
			_, err := o.permits.Update(t.Context(), permit{ID: "p"}, permitExpires.Set(o.now.Add(time.Hour)))
			return err
		}, trestle.ErrNotFound, nil, "old", 7},
		{"update with a condition", func(t *testing.T, o *permitOffice) error {
			_, err := o.permits.Update(t.Context(), permit{ID: "p"}, attr.Add(permitUses, 1), attr.If(permitOwner.Eq("old")))
			return err
		}, trestle.ErrNotFound, nil, "old", 7},
		{"upsert", func(t *testing.T, o *permitOffice) error {
			p, err := o.permits.Upsert(t.Context(), permit{ID: "p"}, attr.Add(permitUses, 1), permitExpires.Set(o.now.Add(time.Hour)))
			if err == nil && p.Uses != 1 && p.Uses != 8 {
				return errors.New("the returned item is wrong")
			}
			return err
		}, nil, nil, "", 1},
		{"upsert in a transaction", func(t *testing.T, o *permitOffice) error {
			return tx.Write(t.Context(), o.permits.Op().Upsert(permit{ID: "p"}, attr.Add(permitUses, 1)))
		}, nil, nil, "", 1},
		{"delete", func(t *testing.T, o *permitOffice) error { return o.permits.Delete(t.Context(), permit{ID: "p"}) }, nil, nil, "", 0},
		{"delete with a condition", func(t *testing.T, o *permitOffice) error {
			return o.permits.Delete(t.Context(), permit{ID: "p"}, permitOwner.Eq("old"))
		}, trestle.ErrNotFound, nil, "old", 7},
		{"check", func(t *testing.T, o *permitOffice) error {
			return tx.Write(t.Context(), o.permits.Op().Check(permit{ID: "p"}), o.permits.Op().Put(&permit{ID: "q"}))
		}, trestle.ErrNotFound, nil, "old", 7},
		{"move from it", func(t *testing.T, o *permitOffice) error {
			require.NoError(t, o.permits.Delete(t.Context(), permit{ID: "q"}))
			return tx.Write(t.Context(), tx.Move(o.permits, permit{ID: "p"}, &permit{ID: "q"}))
		}, trestle.ErrNotFound, nil, "old", 7},
		{"move to it", func(t *testing.T, o *permitOffice) error {
			require.NoError(t, o.permits.Put(t.Context(), &permit{ID: "q", Owner: "moved"}))
			return tx.Write(t.Context(), tx.Move(o.permits, permit{ID: "q"}, &permit{ID: "p", Owner: "new"}))
		}, nil, trestle.ErrExists, "new", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) {
				o := newPermitOffice(t, e.Client(t))
				o.expire(t)
				o.now = o.now.Add(-time.Second)
				require.ErrorIs(t, c.write(t, o), c.alive)
				o.expire(t)
				require.ErrorIs(t, c.write(t, o), c.expired)
				got, err := o.shown.Get(t.Context(), permit{ID: "p"})
				if c.stored == "" && c.uses == 0 {
					require.ErrorIs(t, err, trestle.ErrNotFound)
					return
				}
				require.NoError(t, err)
				require.Equal(t, c.stored, got.Owner)
				require.Equal(t, c.uses, got.Uses)
			})
		})
	}
}

// If another operation of a transaction fails, an operation that only met an expired item is not
// one of those that failed, unless it has failed for another reason too.
func TestCanceledTransactionsWithExpiredItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, o := t.Context(), newPermitOffice(t, e.Client(t))
		require.NoError(t, o.permits.Create(ctx, &permit{ID: "alive", Owner: "ann"}))
		require.NoError(t, o.lanyards.Create(ctx, &lanyard{ID: "alive", Code: "taken"}))
		fails := o.permits.Op().Update(permit{ID: "alive"}, permitOwner.Set("eve"), attr.If(permitOwner.Eq("bob")))
		for _, c := range []struct {
			name   string
			op     entity.Operation
			failed int
		}{
			{"plain", o.permits.Op().Upsert(permit{ID: "p"}, permitUses.Set(1)), 1},
			{"unique", o.lanyards.Op().Upsert(lanyard{ID: "b"}, lanyardName.Set("new")), 1},
			{"taken", o.lanyards.Op().Upsert(lanyard{ID: "b"}, lanyardCode.Set("taken")), 2},
		} {
			o.expire(t)
			var canceled *tx.CanceledError
			require.ErrorAs(t, tx.Write(ctx, fails, c.op), &canceled, c.name)
			require.Len(t, canceled.Failures, c.failed, c.name)
			require.ErrorIs(t, canceled.Failures[0].Err, trestle.ErrCondition, c.name)
			if c.failed > 1 {
				require.ErrorIs(t, canceled.Failures[1].Err, trestle.ErrTaken, c.name)
			}
			require.NoError(t, o.lanyards.Delete(ctx, lanyard{ID: "b"}), c.name)
		}
	})
}

// A versioned item begins anew after it expired. Its unique value is free from that second on.
func TestExpiredItemsWithVersionsAndUniqueValues(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o := newPermitOffice(t, e.Client(t))
		ctx := t.Context()
		o.expire(t)
		require.ErrorIs(t, o.lanyards.Put(ctx, &lanyard{ID: "b", Version: 1}), trestle.ErrStale)
		_, err := o.lanyards.Update(ctx, lanyard{ID: "b", Version: 1}, lanyardName.Set("new"))
		require.ErrorIs(t, err, trestle.ErrNotFound)
		_, err = o.lanyards.Update(ctx, lanyard{ID: "b"}, lanyardExpires.Set(o.now.Unix()+60))
		require.ErrorIs(t, err, trestle.ErrNotFound)
		_, found := entity.ItemFromError[lanyard](err)
		require.False(t, found)
		require.ErrorIs(t, o.lanyards.Delete(ctx, lanyard{ID: "b", Version: 1}), trestle.ErrNotFound)

		fresh := lanyard{ID: "b", Code: "d"}
		require.NoError(t, o.lanyards.Put(ctx, &fresh))
		require.EqualValues(t, 1, fresh.Version)
		require.NoError(t, o.lanyards.Create(ctx, &lanyard{ID: "other", Code: "c"}), "the code of an expired lanyard is free")
		require.ErrorIs(t, o.lanyards.Create(ctx, &lanyard{ID: "third", Code: "d"}), trestle.ErrTaken)

		require.NoError(t, o.lanyards.Delete(ctx, lanyard{ID: "other"}))
		o.expire(t)
		up, err := o.lanyards.Upsert(ctx, lanyard{ID: "b"}, lanyardExpires.Set(o.now.Unix()+60))
		require.NoError(t, err)
		require.Equal(t, lanyard{ID: "b", Version: 1, Expires: o.now.Unix() + 60}, up)
		o.expire(t)
		require.NoError(t, o.lanyards.Create(ctx, &lanyard{ID: "b", Code: "c"}))
	})
}

// An update that makes its item expire is not sent again after a lost reply, because its condition
// does not hold afterwards.
func TestUpdatesThatExpireAreNotRepeated(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, f := newFaulty(t, e)
		o := newPermitOffice(t, client)
		for _, c := range []struct {
			change   attr.Change[permit]
			repeated bool
		}{
			{permitExpires.Set(o.now), false},
			{permitExpires.Set(o.now.Add(time.Second)), true},
			{permitExpires.Remove(), true},
			{permitOwner.Set("a"), true},
		} {
			require.NoError(t, o.permits.Put(t.Context(), &permit{ID: "p", Expires: o.now.Add(time.Hour)}))
			f.Sent.Store(0)
			for _, fault := range testfaults.All() {
				if fault.After && fault.Retried {
					f.Fault.Store(&fault)
				}
			}
			_, err := o.permits.Update(t.Context(), permit{ID: "p"}, c.change)
			if c.repeated {
				requireOutcome(t, err, nil, trestle.Applied)
				require.EqualValues(t, 2, f.Sent.Load())
			} else {
				requireOutcome(t, err, trestle.ErrUnknown, trestle.Unknown)
				require.EqualValues(t, 1, f.Sent.Load())
			}
		}
	})
}

// lostDeletes loses the replies to deletions.
type lostDeletes struct{ *dynamodb.Client }

func (l lostDeletes) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	if _, err := l.Client.DeleteItem(ctx, in, o...); err != nil {
		return nil, err
	}
	return nil, testfaults.ErrReset
}

// A write whose deletion of an expired item has no reply is not applied, and can be sent again.
func TestLostDeletionOfExpiredItem(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o := newPermitOffice(t, e.Client(t))
		lossy, err := o.schema.Open(lostDeletes{o.client}, "office")
		require.NoError(t, err)
		o.expire(t)
		add := func(repo *entity.Repo[permit]) (permit, error) {
			return repo.Upsert(t.Context(), permit{ID: "p"}, attr.Add(permitUses, 1))
		}
		_, err = add(o.permits.Type().In(lossy))
		require.ErrorIs(t, err, testfaults.ErrReset)
		require.NotErrorIs(t, err, trestle.ErrUnknown)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		p, err := add(o.permits)
		require.NoError(t, err)
		require.Equal(t, 1, p.Uses)
	})
}

// A write that begins anew costs two more requests: the one that fails, and the deletion. The
// lanyard is read first in any case.
func TestBeginningAnewCostsTwoRequests(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, f := newFaulty(t, e)
		o := newPermitOffice(t, client)
		for name, write := range map[string]func() error{
			"upsert": func() error {
				_, err := o.permits.Upsert(t.Context(), permit{ID: "p"}, attr.Add(permitUses, 1))
				return err
			},
			"put with a condition": func() error {
				return o.permits.Put(t.Context(), &permit{ID: "p"}, permitOwner.NotExists())
			},
			"put of version 0": func() error { return o.lanyards.Put(t.Context(), &lanyard{ID: "b", Code: "d"}) },
		} {
			o.expire(t)
			f.All.Store(0)
			require.NoError(t, write(), name)
			anew := f.All.Load()
			require.NoError(t, o.permits.Delete(t.Context(), permit{ID: "p"}))
			require.NoError(t, o.lanyards.Delete(t.Context(), lanyard{ID: "b"}))
			f.All.Store(0)
			require.NoError(t, write(), name)
			require.Equal(t, f.All.Load()+2, anew, name)
		}
	})
}

// cancelsAfterDelete cancels the context of a write after a deletion.
type cancelsAfterDelete struct {
	*dynamodb.Client
	cancel func()
}

func (c cancelsAfterDelete) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	defer c.cancel()
	return c.Client.DeleteItem(ctx, in, o...)
}

// A write that has only deleted an expired item is not applied.
func TestDeletionOfExpiredItemIsNotTheWrite(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o := newPermitOffice(t, e.Client(t))
		o.expire(t)
		ctx, cancel := context.WithCancel(t.Context())
		canceled, err := o.schema.Open(cancelsAfterDelete{o.client, cancel}, "office")
		require.NoError(t, err)
		err = o.lanyards.Type().In(canceled).Put(ctx, &lanyard{ID: "b", Code: "d"})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	})
}

// No write returns an expired item, in its result or in its error.
func TestWritesReturnNoExpiredItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		o := newPermitOffice(t, e.Client(t))
		ops := o.permits.Op()
		for _, op := range []*entity.Op[permit]{ops.Put(&permit{ID: "p"}), ops.Delete(permit{ID: "p"})} {
			o.expire(t)
			o.now = o.now.Add(-time.Second)
			old, err := op.Return(trestle.AllOld).Do(t.Context())
			require.NoError(t, err)
			require.Equal(t, "old", old.Item.Owner, "the negative control")
			o.expire(t)
			old, err = op.Return(trestle.AllOld).Do(t.Context())
			require.NoError(t, err)
			require.Zero(t, old.Item)
		}
		o.expire(t)
		_, err := o.permits.Update(t.Context(), permit{ID: "p"}, permitUses.Set(1))
		require.ErrorIs(t, err, trestle.ErrNotFound)
		_, found := entity.ItemFromError[permit](err)
		require.False(t, found)
	})
}

// faultyDeletes lets the first attempt of each deletion fail.
type faultyDeletes struct {
	*dynamodb.Client
	transport *testfaults.Transport
	fault     testfaults.Fault
}

func (f faultyDeletes) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	f.transport.Fault.Store(&f.fault)
	return f.Client.DeleteItem(ctx, in, o...)
}

// A deletion of an expired item is sent again after a lost reply. It then finds no item, and the
// write goes on.
func TestDeletionsOfExpiredItemsAreRetried(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, f := newFaulty(t, e)
		o := newPermitOffice(t, client)
		for _, fault := range testfaults.All() {
			if !fault.Retried {
				continue
			}
			faulty, err := o.schema.Open(faultyDeletes{client, f, fault}, "office")
			require.NoError(t, err)
			o.expire(t)
			p, err := o.permits.Type().In(faulty).Upsert(t.Context(), permit{ID: "p"}, attr.Add(permitUses, 1))
			require.NoError(t, err, fault.Name)
			require.Equal(t, 1, p.Uses, fault.Name)
			require.Nil(t, f.Fault.Load(), fault.Name)
		}
	})
}

// entryVisa shares its key with entryStamp. Both expire.
type (
	entryVisa struct {
		_       entity.Key `type:"visa" pk:"ENTRY#<id>" sk:"ENTRY" shared:"yes"`
		ID      string     `dynamodbav:"id"`
		Expires int64      `dynamodbav:"expires" entity:"ttl"`
	}
	entryStamp struct {
		_       entity.Key `type:"stamp" pk:"ENTRY#<id>" sk:"ENTRY" shared:"yes"`
		ID      string     `dynamodbav:"id"`
		Expires int64      `dynamodbav:"expires" entity:"ttl"`
	}
)

// An expired item of another type exists for writes until it is deleted: no write replaces it.
func TestExpiredItemsOfSharedKeysExist(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, now := t.Context(), time.Now().Add(time.Hour)
		s := entity.NewSchema(entity.Config{Clock: func() time.Time { return now }})
		visaType, stampType := entity.Define[entryVisa](s), entity.Define[entryStamp](s)
		table, err := s.Open(e.Client(t), "entries")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		visas, stamps := visaType.In(table), stampType.In(table)
		require.NoError(t, visas.Create(ctx, &entryVisa{ID: "1", Expires: now.Unix() + 60}))
		now = now.Add(time.Minute)
		_, err = visas.Get(ctx, entryVisa{ID: "1"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		requireOutcome(t, stamps.Create(ctx, &entryStamp{ID: "1"}), trestle.ErrExists, trestle.NotApplied)
		requireOutcome(t, stamps.Put(ctx, &entryStamp{ID: "1"}), trestle.ErrExists, trestle.NotApplied)
		require.NoError(t, visas.Delete(ctx, entryVisa{ID: "1"}))
		require.NoError(t, stamps.Create(ctx, &entryStamp{ID: "1"}))
	})
}
