package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestHashesAreEqualIfTheTablesAre compares hashes with a full comparison. The negative controls
// are hashes that depend on the order of the writes, on the shape of the trees, or on part of the
// items.
func TestHashesAreEqualIfTheTablesAre(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := newRand(t)
	require.NoError(t, compareHashes(r, (*State).Hash, testsize.Pick(600, 2_000, 6_000)))
	for name, control := range map[string]func(*State) [32]byte{
		"order": func(s *State) [32]byte {
			h := s.Hash()
			return sha256.Sum256(fmt.Append(h[:], s.Sequence))
		},
		"size": func(s *State) (h [32]byte) {
			for _, t := range s.Tables {
				h[0] += byte(t.Size())
			}
			return h
		},
		"no items": func(s *State) [32]byte {
			return sha256.Sum256(fmt.Append(nil, slices.Sorted(maps.Keys(s.Tables))))
		},
	} {
		require.ErrorIs(t, compareHashes(r, control, 20_000), errHashes, "%s", name)
	}
}

var errHashes = errors.New("the hashes do not agree with the content")

// compareHashes writes to forks at random, and builds some of them again with other writes in
// another order. It returns an error if two hashes are equal and the tables are not, or the other
// way round.
func compareHashes(r *rand.Rand, hash func(*State) [32]byte, steps int) error {
	states := []*State{hashedState(r, 0)}
	for step := range steps {
		s := states[r.IntN(len(states))]
		switch r.IntN(10) {
		case 0:
			states = append(states, s.Clone())
		case 1:
			states = append(states, again(r, s))
		default:
			write(r, s, s.Tables[fmt.Sprint("table", r.IntN(2))])
			s.Next() // of a stream
		}
		if len(states) > 6 {
			states = states[1:]
		}
		for _, other := range states {
			if equal := sameTables(s, other); (hash(s) == hash(other)) != equal {
				return fmt.Errorf("%w: step %d, equal: %t", errHashes, step, equal)
			}
		}
	}
	return nil
}

// hashedState returns a state with two tables, after some writes.
func hashedState(r *rand.Rand, writes int) *State {
	s := NewState()
	s.Now = epoch.Add(time.Duration(r.IntN(1000)) * time.Second)
	for _, i := range r.Perm(2) {
		newTable(s, fmt.Sprint("table", i))
	}
	for range writes {
		write(r, s, s.Tables[fmt.Sprint("table", r.IntN(2))])
	}
	return s
}

// again returns a state with the same tables, made by other writes.
func again(r *rand.Rand, s *State) *State {
	made := hashedState(r, r.IntN(40))
	for name, t := range s.Tables {
		table := made.Tables[name]
		for _, item := range table.items.Clone().From("") {
			made.Delete(table, item)
		}
		items := slices.Collect(maps.Values(maps.Collect(t.items.From(""))))
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		for _, item := range items {
			made.Put(table, item)
		}
	}
	return made
}

// sameTables compares the items of states whose tables have the same definitions.
func sameTables(a, b *State) bool {
	return maps.EqualFunc(a.Tables, b.Tables, func(a, b *Table) bool {
		return maps.EqualFunc(maps.Collect(a.items.From("")), maps.Collect(b.items.From("")), value.Map.Equal)
	})
}

// TestHashesDependOnDefinitions changes each setting of a table, and what a hash does not include.
func TestHashesDependOnDefinitions(t *testing.T) {
	t.Parallel()
	made := func(change func(*State, *Table)) [32]byte {
		s := NewState()
		s.Now = epoch
		table := newTable(s, "table")
		change(s, table)
		return s.Hash()
	}
	nothing := made(func(*State, *Table) {})
	seen := map[[32]byte]string{nothing: "nothing"}
	for name, change := range map[string]func(*State, *Table){
		"another table":      func(s *State, _ *Table) { newTable(s, "other") },
		"key":                func(_ *State, t *Table) { t.Key = partition(pk) },
		"definition":         func(_ *State, t *Table) { t.Definition = t.Definition[1:] },
		"type":               func(_ *State, t *Table) { t.Definition[0].Kind = value.KindBinary },
		"no index":           func(_ *State, t *Table) { t.removeIndex("sparse") },
		"index key":          func(_ *State, t *Table) { t.Index("sparse").Key = partition(b) },
		"index projection":   func(_ *State, t *Table) { t.Index("several").Projection.Names = []string{"e"} },
		"index in progress":  func(s *State, t *Table) { t.Index("sparse").ActiveAt = s.Now },
		"index throughput":   func(_ *State, t *Table) { t.Index("sparse").Throughput.Read = 1 },
		"billing":            func(_ *State, t *Table) { t.OnDemandBilling = true },
		"read throughput":    func(_ *State, t *Table) { t.Throughput.Read = 1 },
		"write throughput":   func(_ *State, t *Table) { t.Throughput.Write = 1 },
		"read limit":         func(_ *State, t *Table) { t.OnDemandLimit.Read = 1 },
		"write limit":        func(_ *State, t *Table) { t.OnDemandLimit.Write = 1 },
		"index limit":        func(_ *State, t *Table) { t.Index("sparse").Limit.Read = 1 },
		"warm throughput":    func(_ *State, t *Table) { t.Warm.Read = 1 },
		"warm index":         func(_ *State, t *Table) { t.Index("sparse").Warm.Write = 1 },
		"class":              func(_ *State, t *Table) { t.Settings.Class = "STANDARD" },
		"encryption":         func(_ *State, t *Table) { t.Settings.EncryptionKey = "STANDARD" },
		"protection":         func(_ *State, t *Table) { t.DeletionProtected = true },
		"time to live":       func(s *State, t *Table) { s.SetTTL(t, "a") },
		"recovery":           func(_ *State, t *Table) { t.Recovery.Days = 35 },
		"stream":             func(s *State, t *Table) { s.OpenStream(t, "NEW_IMAGE") },
		"tag":                func(_ *State, t *Table) { t.Tags = map[string]string{"a": ""} },
		"deletion under way": func(s *State, t *Table) { t.DeleteAt = s.Now },
		"update under way":   func(s *State, t *Table) { t.UpdatedAt = s.Now },
	} {
		h := made(change)
		require.Empty(t, seen[h], "%s", name)
		seen[h] = name
	}
	for name, change := range map[string]func(*State, *Table){
		"ID":                   func(_ *State, t *Table) { t.ID = "1" },
		"times":                func(s *State, t *Table) { t.Created, s.Now = s.Now, s.Now.Add(time.Hour) },
		"time of the class":    func(s *State, t *Table) { t.Settings.ClassChangedAt = s.Now },
		"order of definitions": func(_ *State, t *Table) { slices.Reverse(t.Definition) },
		"order of indexes":     func(_ *State, t *Table) { slices.Reverse(t.Indexes) },
		"a write and its end": func(s *State, t *Table) {
			item := randomItem(rand.New(rand.NewPCG(1, 2)))
			s.Put(t, item)
			s.Delete(t, item)
		},
		"token": func(s *State, _ *Table) { s.StoreToken("token", Token{}) },
	} {
		require.Equal(t, nothing, made(change), "%s", name)
	}
}

// BenchmarkHash hashes a fork of a large table after one write.
func BenchmarkHash(b *testing.B) {
	s := NewState()
	s.Now = epoch
	table := newTable(s, "large")
	items := make([]value.Map, 20_000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range items {
		items[i] = randomItem(r).With("pk", value.String(fmt.Sprint("p", i)))
		s.Put(table, items[i])
	}
	before := s.Hash()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		fork := s.Clone()
		fork.Put(fork.Tables["large"], items[i%len(items)].With("d", number(int64(1000+i))))
		if fork.Hash() == before {
			b.Fatal("the hash is that of the origin")
		}
	}
}
