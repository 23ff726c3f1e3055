package shard_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

// problems returns the fields of all problems of a call.
func problems(err error) (fields []string) {
	var v *errs.ValidationError
	if errors.As(err, &v) {
		for _, p := range v.Problems {
			fields = append(fields, p.Field)
		}
	}
	return fields
}

// All mistakes of a configuration are reported at once, by every method, and nothing is sent.
func TestConfig(t *testing.T) {
	t.Parallel()
	sorted, unsorted, numeric, binary := entity.Config{}, entity.Config{NoSort: true}, entity.Config{Partition: entity.N("id")}, entity.Config{Sort: entity.B("SK")}
	keys := func(f func(*shard.Keys)) *shard.Keys {
		k := votingKeys
		k.ShardSort, k.TotalSort = "SHARD", "TOTAL"
		f(&k)
		return &k
	}
	for name, c := range map[string]struct {
		table  entity.Config
		config shard.Config
		fields []string
	}{
		"zero":                   {sorted, shard.Config{}, nil},
		"without a sort key":     {unsorted, shard.Config{Shards: 1000, MaxShards: 1000}, nil},
		"binary sort key":        {binary, shard.Config{}, nil},
		"numbers":                {sorted, shard.Config{Mode: 9, Shards: -1, MaxShards: 1001, GrowEvery: -1, Refresh: -1, MarkerLife: -1}, []string{"Mode", "Shards", "MaxShards", "GrowEvery", "Refresh", "MarkerLife"}},
		"too many shards":        {sorted, shard.Config{Shards: 1001}, []string{"Shards"}},
		"fewer at most":          {sorted, shard.Config{Shards: 5, MaxShards: 4}, []string{"MaxShards"}},
		"growth of events":       {sorted, shard.Config{Mode: shard.Events, MaxShards: 4}, []string{"MaxShards"}},
		"no TTL attribute":       {sorted, shard.Config{MarkerLife: time.Hour}, []string{"MarkerLife"}},
		"markers":                {entity.Config{TTL: "ttl"}, shard.Config{MarkerLife: time.Hour}, nil},
		"life without markers":   {entity.Config{TTL: "ttl"}, shard.Config{Mode: shard.ExactWindow, MarkerLife: time.Hour}, []string{"MarkerLife"}},
		"two lists":              {sorted, shard.Config{Listed: true, Names: []string{"a", ""}}, []string{"Names", "Names"}},
		"a list without sort":    {unsorted, shard.Config{Listed: true}, []string{"Listed"}},
		"a list, binary":         {binary, shard.Config{Listed: true}, []string{"Listed"}},
		"events without sort":    {unsorted, shard.Config{Mode: shard.Events}, []string{"Mode"}},
		"number as key":          {numeric, shard.Config{}, []string{""}},
		"a key attribute":        {entity.Config{Indexes: []entity.IndexConfig{{Name: "index", Partition: []entity.Attribute{entity.S("total")}}}}, shard.Config{}, []string{"total"}},
		"the type attribute":     {entity.Config{TypeAttribute: "n"}, shard.Config{}, []string{"n"}},
		"Regions":                {sorted, shard.Config{Mode: shard.Approximate, Region: "eu-west-1", Regions: []string{"eu-west-1", "us-east-1"}}, nil},
		"a Region only":          {sorted, shard.Config{Mode: shard.Approximate, Region: "eu-west-1"}, []string{"Region"}},
		"another Region":         {sorted, shard.Config{Mode: shard.Approximate, Region: "eu-west-1", Regions: []string{"us-east-1", "us-east-1"}}, []string{"Region", "Regions"}},
		"no own Region":          {sorted, shard.Config{Mode: shard.Approximate, Regions: []string{"us-east-1"}}, []string{"Region"}},
		"transactions, Regions":  {sorted, shard.Config{Region: "a", Regions: []string{"a"}}, []string{"Mode"}},
		"transactions, strong":   {sorted, shard.Config{Mode: shard.ExactWindow, MultiRegionStrong: true}, []string{"Mode"}},
		"both kinds of tables":   {sorted, shard.Config{Mode: shard.Approximate, MultiRegionStrong: true, Region: "a", Regions: []string{"a"}}, []string{"MultiRegionStrong"}},
		"keys, Regions":          {unsorted, shard.Config{Mode: shard.Approximate, Keys: &votingKeys, Region: "a", Regions: []string{"a"}}, []string{"Keys"}},
		"keys of events":         {sorted, shard.Config{Mode: shard.Events, Keys: keys(func(*shard.Keys) {})}, []string{"Keys"}},
		"keys":                   {sorted, shard.Config{Keys: keys(func(*shard.Keys) {})}, nil},
		"too narrow":             {sorted, shard.Config{Keys: keys(func(k *shard.Keys) { k.Width = 2 }), Shards: 99, MaxShards: 100}, []string{"MaxShards"}},
		"no digits left":         {sorted, shard.Config{Keys: keys(func(k *shard.Keys) { k.Width, k.First = 2, 100 })}, []string{"Shards", "Keys.First"}},
		"a late first shard":     {sorted, shard.Config{Keys: keys(func(k *shard.Keys) { k.First = math.MaxInt })}, []string{"Keys"}},
		"a name twice":           {sorted, shard.Config{Names: []string{"a", "b", "a"}}, []string{"Names"}},
		"padded":                 {sorted, shard.Config{Keys: keys(func(k *shard.Keys) { k.Width = 3 })}, nil},
		"no templates":           {sorted, shard.Config{Keys: &shard.Keys{}}, []string{"Keys.Count", "Keys.TotalCount", "Keys.Shard", "Keys.ShardSort", "Keys.Total", "Keys.TotalSort"}},
		"sort without one":       {unsorted, shard.Config{Keys: keys(func(*shard.Keys) {})}, []string{"Keys.ShardSort", "Keys.TotalSort"}},
		"no number":              {unsorted, shard.Config{Keys: &shard.Keys{Shard: "S#<name>", Total: "T#<name>", Count: "c", TotalCount: "t"}}, []string{"Keys.Shard"}},
		"no name":                {unsorted, shard.Config{Keys: &shard.Keys{Shard: "S#<shard>", Total: "T", Count: "c", TotalCount: "t"}}, []string{"Keys.Shard", "Keys.Total"}},
		"a total with a number":  {unsorted, shard.Config{Keys: &shard.Keys{Shard: "S#<name>#<shard>", Total: "T#<name>#<shard>", Count: "c", TotalCount: "t"}}, []string{"Keys.Total"}},
		"the total is a shard":   {unsorted, shard.Config{Keys: &shard.Keys{Shard: "<name>#<shard>", Total: "<name>#7", Count: "c", TotalCount: "t"}}, []string{"Keys.Total"}},
		"another placeholder":    {unsorted, shard.Config{Keys: &shard.Keys{Shard: "<name>#<shard>#<x>", Total: "<name>#Total", Count: "c", TotalCount: "t"}}, []string{"Keys.Shard"}},
		"attributes":             {unsorted, shard.Config{Keys: &shard.Keys{Shard: "<name>#<shard>", Total: "<name>#Total", Count: "PK", TotalCount: "max", Updated: "max"}}, []string{"Keys.Count", "Keys.TotalCount", "Keys.Updated", "Keys.Updated"}},
		"numbers of keys":        {unsorted, shard.Config{Keys: &shard.Keys{Shard: "<name>#<shard>", Total: "<name>#Total", Count: "c", TotalCount: "t", First: -1}}, []string{"Keys"}},
		"too wide":               {unsorted, shard.Config{Keys: &shard.Keys{Shard: "<name>#<shard>", Total: "<name>#Total", Count: "c", TotalCount: "t", Width: 21}}, []string{"Keys", "Keys.Shard"}},
		"sort keys distinguish":  {sorted, shard.Config{Keys: &shard.Keys{Shard: "V#<name>", ShardSort: "S#<shard>", Total: "V#<name>", TotalSort: "T", Count: "c", TotalCount: "t"}}, nil},
		"number as the sort key": {entity.Config{Sort: entity.N("SK")}, shard.Config{Keys: &shard.Keys{Shard: "V#<name>", ShardSort: "<shard>", Total: "T#<name>", TotalSort: "<shard>", Count: "c", TotalCount: "t"}}, []string{"Keys.Total"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBox(t, ddbtest.Client(t), c.table)
			sent := len(b.db.Requests())
			votes := b.counters(c.config)
			err := votes.Add(t.Context(), "a", 1, keyFor(c.config.Mode, 1)...)
			if len(c.fields) == 0 {
				require.NoError(t, err)
				requireTotal(t, votes, "a", 1)
				return
			}
			requireKind(t, err, trestle.ErrInvalid, trestle.NotApplied)
			require.Equal(t, c.fields, problems(err))
			_, err = votes.Total(t.Context(), "a")
			requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
			require.Equal(t, c.fields, problems(err))
			require.Len(t, b.db.Requests(), sent, "nothing is sent")
		})
	}
}

// Mistakes of the arguments are reported at once, and nothing is sent.
func TestArguments(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	sent := len(b.db.Requests())
	votes, likes := b.counters(shard.Config{}), b.counters(shard.Config{Mode: shard.Approximate})
	k := shard.Once("k")
	for name, err := range map[string]error{
		"no name":        votes.Add(ctx, "", 1, k),
		"not UTF-8":      votes.Add(ctx, "\xff", 1, k),
		"no key":         votes.Add(ctx, "a", 1),
		"empty key":      votes.Add(ctx, "a", 1, shard.Once("")),
		"key not UTF-8":  votes.Add(ctx, "a", 1, shard.Once("\xff")),
		"zero option":    votes.Add(ctx, "a", 1, shard.AddOption{}),
		"two keys":       votes.Add(ctx, "a", 1, k, shard.Once("l")),
		"no use of keys": likes.Add(ctx, "a", 1, k),
		"in memory":      b.counters(shard.Config{Mode: shard.WriterOwned}).Add(ctx, "a", 1),
		"no family":      shard.NewCounters(b.table, "", shard.Config{}).Add(ctx, "a", 1, k),
	} {
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), name)
	}
	for name, err := range map[string]error{
		"long name":    votes.Add(ctx, strings.Repeat("x", 2040), 1, k),
		"long key":     votes.Add(ctx, "a", 1, shard.Once(strings.Repeat("x", 2040))),
		"long escaped": likes.Add(ctx, strings.Repeat("#", 1020), 1),
	} {
		requireKind(t, err, trestle.ErrLimit, trestle.NotApplied, name)
	}
	_, err := votes.Totals(ctx, "a", "", "\xff")
	requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
	require.Len(t, problems(err), 2)

	for _, c := range []*shard.Counters{nil, new(shard.Counters), shard.NewCounters(nil, "votes", shard.Config{}), shard.NewCounters(new(entity.Table), "votes", shard.Config{})} {
		require.ErrorIs(t, c.Add(ctx, "a", 1, k), trestle.ErrInvalid)
		_, err := c.Total(ctx, "a")
		require.ErrorIs(t, err, trestle.ErrInvalid)
	}
	require.Len(t, b.db.Requests(), sent, "nothing is sent")
}

// Names and keys never share an item, whatever they contain.
func TestKeysAreDistinct(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	texts := []string{"a", "a#", "#a", "a#b", "a$", "$U", "total", "000", "a#total", "é", " ", "a#000"}
	for i, family := range texts {
		for j, name := range texts {
			c := shard.NewCounters(b.table, family, shard.Config{})
			for _, key := range texts {
				require.NoError(t, c.Add(t.Context(), name, int64(1+i*100+j), shard.Once(key)))
			}
		}
	}
	for i, family := range texts {
		for j, name := range texts {
			requireTotal(t, shard.NewCounters(b.table, family, shard.Config{}), name, int64(len(texts)*(1+i*100+j)))
		}
	}
}

func TestMode_String(t *testing.T) {
	t.Parallel()
	require.Equal(t, "exact forever, exact window, approximate, events, writer owned, unknown mode",
		fmt.Sprintf("%v, %v, %v, %v, %v, %v", shard.ExactForever, shard.ExactWindow, shard.Approximate, shard.Events, shard.WriterOwned, shard.Mode(5)))
}
