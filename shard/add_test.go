package shard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
)

// Increments are distributed over the shards, and their sum is the total.
func TestAdd(t *testing.T) {
	t.Parallel()
	for _, mode := range []shard.Mode{shard.ExactForever, shard.ExactWindow, shard.Approximate} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) {
				b := newBox(t, e.Client(t), entity.Config{})
				votes := b.counters(shard.Config{Mode: mode, Shards: 5})
				requireTotal(t, votes, "a", 0)
				want := int64(0)
				for i := range 60 {
					n := int64(i*7 - 50)
					want += n
					require.NoError(t, votes.Add(t.Context(), "a", n, keyFor(mode, i)...))
				}
				require.NoError(t, votes.Add(t.Context(), "b", 3, keyFor(mode, 0)...))
				requireTotal(t, votes, "a", want)
				requireTotal(t, votes, "b", 3)
				stored := b.items(t)
				for i := range 5 {
					require.Contains(t, stored, fmt.Sprintf("$U#count#votes#a#%03d", i), "each shard has increments")
				}
				require.NotContains(t, stored, "$U#count#votes#a#005", "there are as many shards as declared")
				require.Contains(t, stored, "$U#count#votes#a#total")
				for key, i := range stored {
					require.Contains(t, []string{"$U#count", "$U#mark"}, stringOf(i["_type"]), key)
				}
			})
		})
	}
}

// keyFor returns the option of an increment in a mode.
func keyFor(m shard.Mode, i int) []shard.AddOption {
	if m == shard.Approximate {
		return nil
	}
	return []shard.AddOption{shard.Once(fmt.Sprintf("key %d", i))}
}

// An increment that is repeated with its key counts once, also by another process with another
// number of shards, whatever happened to the first request.
func TestAdd_once(t *testing.T) {
	t.Parallel()
	for _, mode := range exactModes {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) {
				b := newBox(t, e.Client(t), entity.Config{})
				votes := b.counters(shard.Config{Mode: mode, Shards: 4})
				other := b.counters(shard.Config{Mode: mode, Shards: 9})
				total, lost := int64(0), 0
				for i, f := range testfaults.All() {
					key := shard.Once(f.Name)
					if i > 0 {
						b.fail(f)
					}
					err := votes.Add(t.Context(), "a", 5, key)
					if err != nil {
						lost++
						require.Contains(t, []trestle.Outcome{trestle.Unknown, trestle.NotApplied}, trestle.OutcomeOf(err), f.Name)
					}
					require.NoError(t, votes.Add(t.Context(), "a", 5, key), f.Name)
					require.NoError(t, other.Add(t.Context(), "a", 5, key), f.Name)
					total += 5
					requireTotal(t, votes, "a", total)
				}
				t.Logf("%d calls failed", lost)
			})
		})
	}
}

// In mode Approximate, only an increment whose outcome is unknown can be missing.
func TestAdd_approximate(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Mode: shard.Approximate})
		require.NoError(t, votes.Add(t.Context(), "a", 1))
		least, most := int64(1), int64(1)
		for _, f := range testfaults.All() {
			b.fail(f)
			sent := b.faulty.Sent.Load()
			switch err := votes.Add(t.Context(), "a", 1); trestle.OutcomeOf(err) {
			case trestle.Applied:
				least, most = least+1, most+1
				require.True(t, f.Known, "%s: an increment that may be applied is not sent again", f.Name)
			case trestle.Unknown:
				most++
				requireKind(t, err, trestle.ErrUnknown, trestle.Unknown, f.Name)
				require.EqualValues(t, 1, b.faulty.Sent.Load()-sent, "%s", f.Name)
			}
		}
		n, err := votes.Total(t.Context(), "a")
		require.NoError(t, err)
		require.Greater(t, most, least)
		require.GreaterOrEqual(t, n, least)
		require.LessOrEqual(t, n, most)
	})
}

// Each process may declare another number of shards. The first one determines it.
func TestAdd_agreed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		one := b.counters(shard.Config{Mode: shard.Approximate, Shards: 3})
		many := b.counters(shard.Config{Mode: shard.Approximate, Shards: 50})
		for range 30 {
			require.NoError(t, one.Add(t.Context(), "a", 1))
			require.NoError(t, many.Add(t.Context(), "a", 1))
		}
		for _, c := range []*shard.Counters{one, many, b.counters(shard.Config{Mode: shard.Approximate})} {
			requireTotal(t, c, "a", 60)
		}
		shards := 0
		for key := range b.items(t) {
			if strings.HasPrefix(key, "$U#count#votes#a#0") {
				shards++
			}
		}
		require.Equal(t, 3, shards)
	})
}

// A key that was counted with another number is refused.
func TestAdd_keyUsed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		forever := b.counters(shard.Config{Shards: 4})
		require.NoError(t, forever.Add(t.Context(), "a", 5, shard.Once("k")))
		requireKind(t, forever.Add(t.Context(), "a", 6, shard.Once("k")), trestle.ErrCondition, trestle.NotApplied)
		b.fail(lostReply())
		requireKind(t, forever.Add(t.Context(), "a", 6, shard.Once("k")), trestle.ErrCondition, trestle.NotApplied, "a lost reply changes nothing")
		require.NoError(t, forever.Add(t.Context(), "b", 6, shard.Once("k")), "each counter has its own keys")
		requireTotal(t, forever, "a", 5)

		window := shard.NewCounters(b.table, "votes", shard.Config{Mode: shard.ExactWindow, Shards: 4})
		require.NoError(t, window.Add(t.Context(), "c", 5, shard.Once("k")))
		requireKind(t, window.Add(t.Context(), "c", 6, shard.Once("k")), trestle.ErrUnknown, trestle.Unknown)
		requireTotal(t, window, "c", 5)
	})
}

// lostReply is a request that is applied, whose reply is lost.
func lostReply() testfaults.Fault {
	for _, f := range testfaults.All() {
		if f.Name == "drop-after" {
			return f
		}
	}
	return testfaults.Fault{}
}

// An increment to a shard that is unreadable, or that is not a number, is an error, and so is the
// total. It is never 0.
func TestUnreadableShard(t *testing.T) {
	t.Parallel()
	for name, av := range map[string]types.AttributeValue{
		"missing": nil, "text": text("7"), "fraction": number("1.5"), "too large": number("9223372036854775808"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) {
				b := newBox(t, e.Client(t), entity.Config{})
				votes := b.counters(shard.Config{})
				require.NoError(t, votes.Add(t.Context(), "a", 1, shard.Once("k")))
				b.change(t, "$U#count#votes#a#000", "n", av)
				_, err := votes.Total(t.Context(), "a")
				requireUnreadable(t, err)
				_, err = votes.Snapshot(t.Context(), "a")
				requireUnreadable(t, err)
				_, err = votes.RollUp(t.Context(), "a")
				requireUnreadable(t, err)
			})
		})
	}
}

func requireUnreadable(t testing.TB, err error) {
	t.Helper()
	var e *trestle.OpError
	require.ErrorAs(t, err, &e)
	require.NoError(t, e.Kind, "an unreadable item has no sentinel error")
	require.NotContains(t, err.Error(), "1.5")
}

// A total that exceeds the integers of 64 bits is an error.
func TestTotal_overflow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		for _, sign := range []string{"", "-"} {
			b := newBox(t, e.Client(t), entity.Config{})
			votes := b.counters(shard.Config{Shards: 2})
			for _, key := range []string{"000", "001"} {
				b.put(t, item{"PK": text("$U#count#votes#a#" + key), "SK": text(sortOf(t, b, key)), "n": number(sign + "9000000000000000000")})
			}
			_, err := votes.Total(t.Context(), "a")
			requireUnreadable(t, err)
		}
	})
}

// sortOf returns the sort key of a shard of the counter "a", as an increment of 0 stores it.
func sortOf(t testing.TB, b *box, part string) string {
	t.Helper()
	votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: 2})
	for range 100 {
		require.NoError(t, votes.Add(t.Context(), "a", 0))
		if i := b.items(t)["$U#count#votes#a#"+part]; i != nil {
			return stringOf(i["SK"])
		}
	}
	return ""
}
