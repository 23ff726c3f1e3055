package document_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// expiringModel is what a random test of documents that expire expects.
type expiringModel struct {
	*shop
	r      *rand.Rand
	read   []document.ReadOption
	save   func(ctx context.Context, s *shop, o *order) error
	states []goods // that may be stored; the first one without a fault
	stale  []order // that were read, perhaps of a document that has expired
	count  map[string]int
}

var noGoods = goodsOf(new(order))

// seen returns a state as it is read now.
func (m *expiringModel) seen(g goods) goods {
	if g.Expires != 0 && g.Expires <= m.clock.now().Unix() {
		return noGoods
	}
	return g
}

// step lets time pass, and DynamoDB delete some expired items. It then reads the order, and saves
// or deletes it, with a random fault in the requests.
func (m *expiringModel) step(t *testing.T, n int) error {
	t.Helper()
	ctx := t.Context()
	m.clock.advance(time.Duration(m.r.IntN(40)) * time.Minute)
	m.expire(t, m.r, m.r.Float64())
	o, err := m.orders.Read(ctx, orderKey("a"), append(m.read, document.Strong())...)
	if errors.Is(err, trestle.ErrNotFound) {
		o = orderKey("a")
	} else if err != nil {
		return fmt.Errorf("step %d: %w", n, err)
	}
	now := goodsOf(&o)
	if !slices.ContainsFunc(m.states, func(g goods) bool { return reflect.DeepEqual(m.seen(g), now) }) {
		return fmt.Errorf("step %d: the order is in no expected state: %d articles of %s", n, len(now.Articles), now.Name)
	}
	if reflect.DeepEqual(now, noGoods) && n > 0 {
		m.count["absent"]++
	}
	if err := m.saveStale(ctx, &o); err != nil {
		return fmt.Errorf("step %d: %w", n, err)
	}
	w := &testfaults.Wire{}
	if m.r.IntN(2) == 0 {
		w.Decide = testfaults.CrashAt(1+m.r.IntN(8), testfaults.Fate(1+m.r.IntN(2)))
	}
	own := m.process(t, w.Client(m.client, 1+m.r.IntN(2)))
	if m.r.IntN(12) == 0 {
		return m.settle("deleted", now, noGoods, own.orders.Delete(ctx, orderKey("a")))
	}
	m.change(&o, n)
	err = m.save(ctx, own, &o)
	if o.State != (document.State{}) {
		m.stale = append(m.stale, o)
	}
	return m.settle("saved", now, goodsOf(&o), err)
}

// saveStale saves an order that was read or saved earlier. It is stale, unless nothing was saved
// since.
func (m *expiringModel) saveStale(ctx context.Context, now *order) error {
	if len(m.stale) == 0 || m.r.IntN(4) > 0 {
		return nil
	}
	old := m.stale[m.r.IntN(len(m.stale))]
	if old.Basket.Revision == now.Basket.Revision {
		return nil
	}
	old.Basket.Name = "stale"
	m.count["stale"]++
	if err := m.save(ctx, m.shop, &old); !errors.Is(err, trestle.ErrStale) {
		return fmt.Errorf("a stale save: %w", err)
	}
	return nil
}

// settle sets the states that are possible after a call.
func (m *expiringModel) settle(what string, before, after goods, err error) error {
	outcome := trestle.OutcomeOf(err)
	m.count[what+": "+outcome.String()]++
	switch outcome {
	case trestle.Applied:
		m.states = []goods{after}
	case trestle.NotApplied:
		m.states = []goods{before}
	default:
		m.states = []goods{before, after}
	}
	return nil
}

// change changes an order, and sometimes its time. Each order of some articles more than the others
// is stored by a log, without vouchers.
func (m *expiringModel) change(o *order, n int) {
	o.Basket.Name = fmt.Sprint("step ", n)
	size := m.r.IntN(4)
	if m.r.IntN(6) == 0 {
		size = 100 + m.r.IntN(20)
	}
	o.Articles = slices.DeleteFunc(o.Articles, func(article) bool { return m.r.IntN(3) == 0 })
	for i := range o.Articles {
		if m.r.IntN(2) == 0 {
			o.Articles[i].Text = o.Basket.Name
		}
	}
	for range size {
		n := m.r.IntN(300)
		if !slices.ContainsFunc(o.Articles, func(have article) bool { return have.N == n }) {
			o.Articles = append(o.Articles, article{N: n, Text: o.Basket.Name})
		}
	}
	if len(o.Articles) > 0 && m.r.IntN(3) == 0 {
		o.Articles[0].Image.Value = noise(1+m.r.IntN(2000), uint64(n))
	}
	if o.Vouchers = nil; len(o.Articles) < 40 && o.State == (document.State{}) && m.r.IntN(2) == 0 {
		o.Vouchers = []voucher{{N: fmt.Sprint(m.r.IntN(3)), Code: "code"}}
	}
	if o.Basket.Expires.IsZero() || m.r.IntN(3) == 0 {
		m.count["times"]++
		o.Basket.Expires = m.clock.now().Add(time.Duration(10+m.r.IntN(120)) * time.Minute)
	}
}

func (m *expiringModel) run(t *testing.T, steps int) error {
	t.Helper()
	m.states, m.count = []goods{noGoods}, map[string]int{}
	for n := range steps {
		if err := m.step(t, n); err != nil {
			return err
		}
	}
	m.clock.advance(24 * time.Hour)
	m.expire(t, m.r, 1)
	return nil
}

// An order is saved and deleted at random, with random times, while requests fail and DynamoDB
// deletes some of the items that have expired. It is always in the state of the last call that was
// applied, or there is none, and at the end nothing is left.
func TestRandomExpiries(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		m := &expiringModel{shop: newShop(t, e.Client(t)), r: testrand.New(t), save: func(ctx context.Context, s *shop, o *order) error { return s.orders.Save(ctx, o) }}
		steps := testsize.Pick(60, 150, 20_000)
		if e.Name == engines.DynamoDBLocal {
			steps = testsize.Pick(6, 8, 300)
		}
		require.NoError(t, m.run(t, steps))
		t.Log(m.count)
		require.Empty(t, m.stored(t))
		if e.Name == engines.InProcess {
			for _, what := range []string{"absent", "stale", "times", "saved: applied"} {
				require.Positive(t, m.count[what], what)
			}
		}
	})
}

// The negative control: if the parts keep their own times, and readers do not notice it, some of an
// order is gone before the order expires.
func TestRandomExpiriesControl(t *testing.T) {
	t.Parallel()
	m := &expiringModel{shop: newShop(t, ddbtest.Client(t)), r: testrand.New(t), save: keepTimes, read: []document.ReadOption{document.Unverified()}}
	require.Error(t, m.run(t, 1000)) // it ends at the first error
}

// keepTimes saves an order, and then gives each article the time that it had before.
func keepTimes(ctx context.Context, s *shop, o *order) error {
	before := map[int]int64{}
	for _, a := range o.Articles {
		before[a.N] = a.Expires
	}
	err := s.orders.Save(ctx, o)
	for _, a := range o.Articles {
		if a.Expires = before[a.N]; err == nil && a.Expires != 0 {
			err = s.articles.Put(ctx, &a)
		}
	}
	return err
}
