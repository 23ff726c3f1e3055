package query_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// parcel has indexes of each kind.
type parcel struct {
	_     entity.Key   `type:"parcel" pk:"P#<shop>" sk:"I#<id>"`
	_     entity.Index `name:"by-way" on:"Whole" pk:"W#<way>" sk:"R#<rank:06>"`
	_     entity.Index `name:"by-kind" on:"Keys"`
	_     entity.Index `name:"by-tag" on:"Part"`
	_     entity.Index `name:"by-rank" on:"Local"`
	Shop  string       `dynamodbav:"shop"`
	ID    string       `dynamodbav:"id"`
	Way   string       `dynamodbav:"way,omitempty"`
	Kind  string       `dynamodbav:"kind,omitempty"`
	Tag   string       `dynamodbav:"tag,omitempty"`
	Rank  int          `dynamodbav:"rank"`
	Note  string       `dynamodbav:"note"`
	Plain string       `dynamodbav:"plain"`
	Goods []byte       `dynamodbav:"goods"`
}

type (
	parcelKind struct {
		Kind string `dynamodbav:"kind"`
		ID   string `dynamodbav:"id"`
	}
	parcelNote struct {
		Tag  string `dynamodbav:"tag"`
		Note string `dynamodbav:"note"`
	}
	parcelPlace struct {
		Rank int    `dynamodbav:"rank"`
		Note string `dynamodbav:"note"`
	}
)

var (
	parcelWay   = attr.Must(func(p *parcel) *string { return &p.Way })
	parcelRank  = attr.Must(func(p *parcel) *int { return &p.Rank })
	parcelText  = attr.Must(func(p *parcel) *string { return &p.Note })
	parcelPlain = attr.Must(func(p *parcel) *string { return &p.Plain })
)

// estimates is a table of parcels that records the consumed capacity of the last call.
type estimates struct {
	*rand.Rand
	types  *entity.Type[parcel]
	kinds  entity.Projection[parcel, parcelKind]
	notes  entity.Projection[parcel, parcelNote]
	places entity.Projection[parcel, parcelPlace]
	schema *entity.Schema
	table  *entity.Table
	repo   *entity.Repo[parcel]
	last   trestle.Event
	engine string

	// the number of estimates, and of those for which a naive estimator is wrong by more than a
	// unit
	checked, forgetful, rounding int
}

func newEstimates(t *testing.T, e engines.Engine, seed uint64) *estimates {
	t.Helper()
	x := &estimates{Rand: rand.New(rand.NewPCG(seed, 5)), engine: e.Name}
	x.schema = entity.NewSchema(entity.Config{
		Indexes: []entity.IndexConfig{
			{Name: "Whole"},
			{Name: "Keys", Partition: []entity.Attribute{entity.S("kind")}, Sort: []entity.Attribute{entity.S("id")}, KeysOnly: true},
			{Name: "Part", Partition: []entity.Attribute{entity.S("tag")}, NoSort: true, Include: []string{"note"}},
			{Name: "Local", Sort: []entity.Attribute{entity.N("rank")}, Kind: entity.LocalIndex, Include: []string{"note"}},
		},
		Observer: trestle.ObserverFunc(func(_ context.Context, ev trestle.Event) { x.last = ev }),
	})
	x.types = entity.Define[parcel](x.schema)
	x.kinds, x.notes, x.places = entity.Project[parcelKind](x.types), entity.Project[parcelNote](x.types), entity.Project[parcelPlace](x.types)
	table, err := x.schema.Open(e.Client(t), "parcels")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	x.table, x.repo = table, x.types.In(table)
	return x
}

// near compares an estimate with the capacity that the last call consumed. It also counts the
// errors of naive estimators.
func (x *estimates) near(t *testing.T, what string, e trestle.Explanation, err error) {
	t.Helper()
	require.NoError(t, err, what)
	require.NoError(t, x.last.Err, what)
	used := x.last.Capacity
	// The cost of each page is rounded up to half a unit or a whole unit.
	within := max(1, float64(x.last.Requests)/2)
	if e.Strong {
		within = max(1, float64(x.last.Requests))
	}
	require.InDelta(t, used.Read, e.Units.Read, within, "%s, %d items: %s", what, x.last.Scanned, e)
	require.InDelta(t, used.Write, e.Units.Write, 1, "%s: %s", what, e)
	x.checked++
	size := float64(e.Assumed.ItemSize)
	if used.Write > 0 && math.Abs(math.Ceil(size/1024)-used.Write) > 1 {
		x.forgetful++
	}
	each := math.Ceil(size/4096) / 2
	if e.Strong {
		each *= 2
	}
	if used.Read > 0 && math.Abs(float64(e.Assumed.Items)*each-used.Read) > 1 {
		x.rounding++
	}
}

// parcel returns a parcel of about this size, which does not depend on i. It is in all indexes, or
// in some of them.
func (x *estimates) parcel(shop string, i, size int, everywhere bool) parcel {
	p := parcel{
		Shop: shop, ID: fmt.Sprintf("%04d", i), Way: "w", Kind: "k", Tag: "t", Rank: 1001 + 10*i, Note: strings.Repeat("n", 1+size%300), Plain: "plain", Goods: make([]byte, size),
	}
	if !everywhere {
		for _, f := range []*string{&p.Way, &p.Kind, &p.Tag} {
			if x.IntN(2) == 0 {
				*f = ""
			}
		}
	}
	return p
}

// sizes returns the size of a parcel, and of its entries in the indexes that do not project all
// attributes.
func (x *estimates) sizes(t *testing.T, p parcel) (item, keys, part, place int) {
	t.Helper()
	whole, err := x.types.Encode(&p)
	require.NoError(t, err)
	only := func(names ...string) int {
		some := op.Item{}
		for _, name := range names {
			some[name] = whole[name]
		}
		return codec.ItemSize(some)
	}
	return codec.ItemSize(whole), only("PK", "SK", "kind", "id"), only("PK", "SK", "tag", "note"), only("PK", "SK", "rank", "note")
}

// verbs checks the operations on one parcel.
func (x *estimates) verbs(t *testing.T, size int) {
	t.Helper()
	ctx := t.Context()
	shop := fmt.Sprint("verbs ", x.Uint64())
	sparse := x.parcel(shop, 0, size, false)
	e, err := x.repo.Op().Create(&sparse).Explain()
	failed := x.repo.Create(ctx, &sparse)
	require.NoError(t, failed)
	x.near(t, "create", e, err)
	require.True(t, e.Assumed.Exact)

	p := x.parcel(shop, 1, size, true)
	e, err = x.repo.Op().Put(&p).Explain()
	require.NoError(t, x.repo.Put(ctx, &p))
	x.near(t, "put", e, err)

	bytes, _, _, _ := x.sizes(t, p)
	assume := trestle.Assumption{ItemSize: bytes}
	_, err = x.repo.Get(ctx, p)
	require.NoError(t, err)
	e, err = x.repo.Op().Get(p).Explain(assume)
	x.near(t, "get", e, err)
	_, err = x.repo.Strong().Get(ctx, p)
	require.NoError(t, err)
	e, err = x.repo.Strong().GetOp(p).Explain(assume)
	x.near(t, "strong get", e, err)

	example := parcel{Shop: p.Shop, ID: p.ID}
	for what, change := range map[string]attr.Change[parcel]{
		"an attribute that two indexes hold":   parcelPlain.Set("other"),
		"an attribute that three indexes hold": parcelText.Set(strings.Repeat("o", len(p.Note))),
		"the key of one index":                 parcelWay.Set(string(rune('a' + x.IntN(20)))),
	} {
		e, err = x.repo.Op().Update(p, change).Explain(assume)
		_, failed := x.repo.Update(ctx, p, change)
		require.NoError(t, failed)
		x.near(t, what, e, err)
		p.Way = ""
		if got, err := x.repo.Get(ctx, example); err == nil {
			p.Way = got.Way
		}
	}
	e, err = x.repo.Op().Upsert(p, parcelPlain.Set("again")).Explain(assume)
	_, failed = x.repo.Upsert(ctx, p, parcelPlain.Set("again"))
	require.NoError(t, failed)
	x.near(t, "upsert", e, err)

	e, err = x.repo.Op().Delete(example).Explain(assume)
	require.NoError(t, x.repo.Delete(ctx, example))
	x.near(t, "delete", e, err)
	require.NoError(t, x.repo.Delete(ctx, sparse))
}

// reads checks reads of many parcels of one size.
func (x *estimates) reads(t *testing.T, n, size int) {
	t.Helper()
	ctx := t.Context()
	shop := fmt.Sprint("reads ", x.Uint64())
	for i := range n {
		p := x.parcel(shop, i, size, true)
		require.NoError(t, x.repo.Put(ctx, &p)) // which stores no write ID
	}
	bytes, keys, part, place := x.sizes(t, x.parcel(shop, 0, size, true))
	all := trestle.Assumption{Items: n, ItemSize: bytes}
	some := trestle.Assumption{ItemSize: bytes}
	limit, page := 1+x.IntN(n), 1+x.IntN(n)
	q := query.Of(x.repo, parcel{Shop: shop})
	way := query.On(x.repo, "by-way", parcel{Way: "w"})
	id := attr.Must(func(p *parcel) *string { return &p.ID })
	for what, c := range map[string]struct {
		q      query.Query[parcel]
		assume trestle.Assumption
	}{
		"query":                    {q, all},
		"a part of it":             {q.Limit(limit), some},
		"the end of it":            {q.Limit(limit).Desc(), some},
		"in pages":                 {q.PageSize(page), all},
		"a part in pages":          {q.Limit(limit).PageSize(page), some},
		"filter":                   {q.Filter(parcelRank.Eq(1001)), all},
		"filter in pages":          {q.Filter(parcelText.Eq("x")).PageSize(page), all},
		"an index":                 {way, all},
		"a part of an index":       {way.Limit(limit).Desc(), some},
		"one item":                 {q.Where(id.Eq("0001")), trestle.Assumption{Items: 1, ItemSize: bytes}},
		"from somewhere on":        {q.Where(id.Ge(fmt.Sprintf("%04d", n/2))), trestle.Assumption{Items: n - n/2, ItemSize: bytes}},
		"strong":                   {query.Of(x.repo.Strong(), parcel{Shop: shop}), all},
		"nothing that could match": {q.Where(attr.BeginsWith(id, "x")), trestle.Assumption{Items: 1, ItemSize: 1}},
	} {
		_, err := c.q.Collect(ctx)
		require.NoError(t, err, what)
		e, err := c.q.Explain(c.assume)
		x.near(t, what, e, err)
		if !strings.Contains(what, "part") { // a count needs no more pages than that
			_, err = c.q.Count(ctx)
			require.NoError(t, err, what)
			x.near(t, "count: "+what, e, nil)
		}
	}
	x.parts(t, shop, n, bytes, keys, part, place)
}

// parts checks projections, collections and scans.
func (x *estimates) parts(t *testing.T, shop string, n, bytes, keys, part, place int) {
	t.Helper()
	ctx := t.Context()
	q := query.Of(x.repo, parcel{Shop: shop})

	projected := query.As(q, x.kinds)
	_, err := projected.Collect(ctx)
	require.NoError(t, err)
	e, err := projected.Explain(trestle.Assumption{Items: n, ItemSize: bytes})
	x.near(t, "a projection pays for all", e, err)

	kinds := query.As(query.On(x.repo, "by-kind", parcel{Kind: "k"}), x.kinds)
	_, err = kinds.Collect(ctx)
	require.NoError(t, err)
	e, err = kinds.Explain(trestle.Assumption{Items: n, ItemSize: keys})
	x.near(t, "keys only", e, err)

	notes := query.As(query.On(x.repo, "by-tag", parcel{Tag: "t"}), x.notes)
	_, err = notes.Collect(ctx)
	require.NoError(t, err)
	e, err = notes.Explain(trestle.Assumption{Items: n, ItemSize: part})
	x.near(t, "some attributes", e, err)

	x.local(t, shop, n, place)
	x.batches(t, shop, n, bytes)

	c := q.Collection()
	for _, err := range query.Items(ctx, c) {
		require.NoError(t, err)
	}
	e, err = c.Explain(trestle.Assumption{Items: n, ItemSize: bytes})
	x.near(t, "collection", e, err)

	all := trestle.Assumption{Items: n, ItemSize: bytes}
	for what, s := range map[string]query.TableScan[parcel]{
		"scan": query.Scan(x.repo), "scan in pages": query.Scan(x.repo).PageSize(1 + x.IntN(n)), "strong scan": query.Scan(x.repo.Strong()),
		"scan with a filter": query.Scan(x.repo).Filter(parcelRank.Lt(0)), "scan in segments": query.Scan(x.repo).Segments(2),
		"scan of an index": query.Scan(x.repo).On("by-way"),
	} {
		for _, err := range s.All(ctx) {
			require.NoError(t, err)
		}
		e, err := s.Explain(all)
		x.near(t, what, e, err)
	}
}

// batches checks reads by keys, with some repeated keys.
func (x *estimates) batches(t *testing.T, shop string, n, size int) {
	t.Helper()
	ctx := t.Context()
	assume := trestle.Assumption{ItemSize: size}
	wanted := make([]parcel, 1+x.IntN(2*n))
	refs := make([]query.ItemRef, len(wanted))
	for i := range wanted {
		wanted[i] = parcel{Shop: shop, ID: fmt.Sprintf("%04d", x.IntN(n))}
		refs[i] = query.Ref(x.repo, wanted[i])
	}
	_, err := x.repo.GetMany(ctx, wanted)
	require.NoError(t, err)
	e, err := x.repo.Reader().ExplainMany(wanted, assume)
	x.near(t, "get many", e, err)

	_, err = x.repo.Strong().GetMany(ctx, wanted)
	require.NoError(t, err)
	e, err = x.repo.Strong().ExplainMany(wanted, assume)
	x.near(t, "get many, strong", e, err)

	_, err = x.kinds.GetMany(ctx, x.repo, wanted)
	require.NoError(t, err)
	e, err = x.kinds.ExplainMany(x.repo, wanted, assume)
	x.near(t, "get many, a part of each", e, err)

	_, err = query.GetMany(ctx, refs...)
	require.NoError(t, err)
	e, err = query.ExplainMany(refs, assume)
	x.near(t, "get many of any type", e, err)

	_, err = x.kinds.Get(ctx, x.repo, wanted[0])
	require.NoError(t, err)
	e, err = x.kinds.Explain(x.repo, wanted[0], assume)
	x.near(t, "get, a part", e, err)
}

// local checks reads of the local index. DynamoDB Local also charges for the table's sort key, as
// if it were fetched.
func (x *estimates) local(t *testing.T, shop string, n, size int) {
	t.Helper()
	if x.engine == engines.DynamoDBLocal {
		return
	}
	for what, repo := range map[string]entity.Source[parcel]{"local": x.repo, "strong and local": x.repo.Strong()} {
		q := query.As(query.On(repo, "by-rank", parcel{Shop: shop}).Desc(), x.places)
		_, err := q.Collect(t.Context())
		require.NoError(t, err)
		e, err := q.Explain(trestle.Assumption{Items: n, ItemSize: size})
		x.near(t, what, e, err)
	}
}

// Estimates for items of 100 bytes to 300 KB are correct within a unit, or within the rounding of
// the pages. Estimators that ignore indexes, or that round up each item instead of each page, are
// less accurate.
func TestEstimates(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		seed := testrand.Seed(t)
		runs := testsize.Sequential(4, 20, 50, 200)
		if e.Name == engines.DynamoDBLocal {
			runs = testsize.Pick(4, 10)
		}
		x := newEstimates(t, e, seed)
		for range runs {
			x.verbs(t, int(100*math.Exp(x.Float64()*math.Log(3000)))-80)
		}
		for i := range runs / 4 {
			y := newEstimates(t, e, x.Uint64())
			size := int(100*math.Exp(x.Float64()*math.Log(3000))) - 80
			n := 2 + x.IntN(min(150, 3<<20/(size+300)))
			if i == 0 { // the control is always wrong for many small items
				size, n = x.IntN(500), 50+x.IntN(100)
			}
			y.reads(t, n, size)
			x.checked, x.forgetful, x.rounding = x.checked+y.checked, x.forgetful+y.forgetful, x.rounding+y.rounding
		}
		t.Logf("%d estimates, %d would be wrong without indexes, %d by rounding items", x.checked, x.forgetful, x.rounding)
		require.Positive(t, x.forgetful)
		require.Positive(t, x.rounding)
	})
}

// Estimates agree with manual calculations, such as for an item of 150 KB.
func TestEstimatesByHand(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	repo, one := employees.In(table), employee{CompanyID: "c", ID: "e"}
	assume := trestle.Assumption{ItemSize: 150 << 10}
	e, err := repo.Op().Get(one).Explain(assume)
	require.NoError(t, err)
	require.Equal(t, trestle.Capacity{Read: 19}, e.Units)
	e, err = repo.Strong().GetOp(one).Explain(assume)
	require.NoError(t, err)
	require.Equal(t, trestle.Capacity{Read: 38}, e.Units)
	require.True(t, e.Strong)
	e, err = repo.Op().Delete(one).Explain(assume)
	require.NoError(t, err)
	require.Equal(t, trestle.Capacity{Write: 150 * 3}, e.Units)

	in := employee{CompanyID: "c"}
	for _, c := range []struct {
		q     explainer
		items int
		units float64
	}{
		{query.Of(repo, in).Limit(20), 20, 2.5},
		{query.Of(repo, in).Limit(20).Filter(level.Gt(1)), 100, 12.5},
		{query.Of(repo, in).Limit(2000).Filter(level.Gt(1)), 2000, 250},
		{query.Of(repo, in).PageSize(20), 20, 2.5},
		{query.Of(repo, in).PageSize(20).Limit(100), 100, 12.5},
		{query.Of(repo, in).PageSize(1).Limit(100), 100, 50},
		{query.Of(repo, in).PageSize(20).Filter(level.Gt(1)), 20, 2.5},
		{query.Scan(repo).Segments(200), 100, 100},
	} {
		e, err := c.q.Explain()
		require.NoError(t, err)
		require.Equal(t, c.items, e.Assumed.Items, "%s", e)
		require.InDelta(t, c.units, e.Units.Read, 0, "%s", e)
	}
}
