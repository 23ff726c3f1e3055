package btree

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
)

// keysOf returns n different keys of 40 bytes that begin with a hash.
func keysOf(r *rand.Rand, n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = string(binary.BigEndian.AppendUint64(nil, r.Uint64())) + fmt.Sprintf("customer#%07d#order#2026-11", i)
	}
	return keys
}

func treeOf(keys []string) *Tree[*int] {
	t := new(Tree[*int])
	for _, k := range keys {
		t.Set(k, nil)
	}
	return t
}

// sizes are the sizes at which costs that must not grow are measured.
var sizes = []int{1_000, 1_000_000}

func atSizes(b *testing.B, f func(b *testing.B, keys []string, t *Tree[*int])) {
	b.Helper()
	for _, n := range sizes {
		keys := keysOf(rand.New(rand.NewPCG(1, 2)), n)
		tree := treeOf(keys)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			f(b, keys, tree)
		})
	}
}

func BenchmarkGet(b *testing.B) {
	atSizes(b, func(b *testing.B, keys []string, t *Tree[*int]) {
		i := 0
		for b.Loop() {
			if _, ok := t.Get(keys[i]); !ok {
				b.Fatal("lost a key")
			}
			i = (i + 1) % len(keys)
		}
	})
}

// BenchmarkLoad reports the time and the memory of one entry, without the bytes of its key. It
// fills a tree in random and in ascending order.
func BenchmarkLoad(b *testing.B) {
	for _, n := range sizes {
		random := keysOf(rand.New(rand.NewPCG(1, 2)), n)
		rising := make([]string, 0, n)
		for k := range treeOf(random).From("") {
			rising = append(rising, k)
		}
		for _, order := range []struct {
			name string
			keys []string
		}{{"random", random}, {"rising", rising}} {
			b.Run(order.name+"/"+strconv.Itoa(n), func(b *testing.B) {
				b.ReportAllocs()
				var t *Tree[*int]
				before := heap()
				for b.Loop() {
					t = treeOf(order.keys)
				}
				b.ReportMetric(float64(heap()-before)/float64(n), "B/entry")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entry")
				runtime.KeepAlive(t)
			})
		}
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkReplace(b *testing.B) {
	atSizes(b, func(b *testing.B, keys []string, t *Tree[*int]) {
		i := 0
		for b.Loop() {
			if _, replaced := t.Set(keys[i], nil); !replaced {
				b.Fatal("lost a key")
			}
			i = (i + 1) % len(keys)
		}
	})
}

func BenchmarkDeleteAndSet(b *testing.B) {
	atSizes(b, func(b *testing.B, keys []string, t *Tree[*int]) {
		i := 0
		for b.Loop() {
			if _, ok := t.Delete(keys[i]); !ok {
				b.Fatal("lost a key")
			}
			t.Set(keys[i], nil)
			i = (i + 1) % len(keys)
		}
	})
}

func BenchmarkClone(b *testing.B) {
	atSizes(b, func(b *testing.B, _ []string, t *Tree[*int]) {
		for b.Loop() {
			t.Clone()
		}
	})
}

func BenchmarkFirstSetAfterClone(b *testing.B) {
	atSizes(b, func(b *testing.B, keys []string, t *Tree[*int]) {
		i := 0
		for b.Loop() {
			t.Clone().Set(keys[i], nil)
			i = (i + 1) % len(keys)
		}
	})
}

// BenchmarkRange measures the time of one entry.
func BenchmarkRange(b *testing.B) {
	for _, direction := range []struct {
		name string
		over func(t *Tree[*int]) func(func(string, *int) bool)
	}{
		{"up", func(t *Tree[*int]) func(func(string, *int) bool) { return t.From("") }},
		{"down", func(t *Tree[*int]) func(func(string, *int) bool) { return t.Last() }},
	} {
		b.Run(direction.name, func(b *testing.B) {
			atSizes(b, func(b *testing.B, keys []string, t *Tree[*int]) {
				n := 0
				for b.Loop() {
					for range direction.over(t) {
						n++
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/entry")
			})
		})
	}
}

// BenchmarkSeek20 measures reading 20 entries from any position.
func BenchmarkSeek20(b *testing.B) {
	atSizes(b, func(b *testing.B, keys []string, t *Tree[*int]) {
		i := 0
		for b.Loop() {
			n := 0
			for range t.From(keys[i]) {
				if n++; n == 20 {
					break
				}
			}
			i = (i + 1) % len(keys)
		}
	})
}
