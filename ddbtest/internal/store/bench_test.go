package store

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// BenchmarkPut replaces items of a table without indexes and stream, and of one with four indexes,
// a stream and a TTL.
func BenchmarkPut(b *testing.B) {
	for _, name := range []string{"plain", "indexed"} {
		b.Run(name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			s := NewState()
			s.Now = epoch
			t := newTable(s, name)
			if name == "plain" {
				t.Indexes = nil
			} else {
				s.OpenStream(t, "KEYS_ONLY")
				s.SetTTL(t, "ttl")
			}
			items := make([]value.Map, 20_000)
			for i := range items {
				items[i] = randomItem(r).With("pk", value.String(fmt.Sprint("p", i/2))).With("ttl", number(epoch.Unix()))
				s.Put(t, items[i])
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.Put(t, items[i%len(items)].With("d", number(int64(i))))
			}
		})
	}
}

// BenchmarkSweepOfNothing measures the cost that every request has.
func BenchmarkSweepOfNothing(b *testing.B) {
	db := NewDB(&clock.Clock{})
	_ = db.Update(func(s *State) error {
		t := newTable(s, "idle")
		s.OpenStream(t, "KEYS_ONLY")
		return nil
	})
	b.ReportAllocs()
	for b.Loop() {
		db.Sweep(0)
	}
}
