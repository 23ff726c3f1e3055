package btree

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// summed is a tree with a hash of its content.
type summed interface {
	Set(key string, v int) (int, bool)
	Delete(key string) (int, bool)
	fork() summed
	empty() summed
	hash() [32]byte
}

func hashEntry(key string, v int) [32]byte { return sha256.Sum256(fmt.Appendf(nil, "%q %d", key, v)) }

// bySum hashes with [Tree.Sum].
type bySum struct{ *Tree[int] }

func (s bySum) fork() summed   { return bySum{s.Clone()} }
func (s bySum) empty() summed  { return bySum{new(Tree[int])} }
func (s bySum) hash() [32]byte { return s.Sum(hashEntry) }

// byShape hashes each node with the hashes of its children, as a Merkle tree does.
type byShape struct{ *Tree[int] }

func (s byShape) fork() summed   { return byShape{s.Clone()} }
func (s byShape) empty() summed  { return byShape{new(Tree[int])} }
func (s byShape) hash() [32]byte { return s.root.merkle() }

func (n *node[V]) merkle() [32]byte {
	if n == nil {
		return [32]byte{}
	}
	text := fmt.Appendf(nil, "%v", n.entries)
	for _, c := range n.children {
		below := c.merkle()
		text = append(text, below[:]...)
	}
	return sha256.Sum256(text)
}

// byOrder hashes the writes in their order.
type byOrder struct {
	*Tree[int]
	writes *[32]byte
}

func (s byOrder) fork() summed {
	writes := *s.writes
	return byOrder{s.Clone(), &writes}
}

func (s byOrder) empty() summed { return byOrder{new(Tree[int]), new([32]byte)} }

func (s byOrder) Set(key string, v int) (int, bool) {
	*s.writes = sha256.Sum256(fmt.Appendf(s.writes[:], "%q %d", key, v))
	return s.Tree.Set(key, v)
}

func (s byOrder) hash() [32]byte { return *s.writes }

// byLength distinguishes trees of different lengths only.
type byLength struct{ bySum }

func (s byLength) fork() summed   { return byLength{bySum{s.Clone()}} }
func (s byLength) empty() summed  { return byLength{bySum{new(Tree[int])}} }
func (s byLength) hash() [32]byte { return sha256.Sum256([]byte(strconv.Itoa(s.Len()))) }

// byStaleSum keeps the sum of the root's own entries when one of them is replaced.
type byStaleSum struct{ bySum }

func (s byStaleSum) fork() summed  { return byStaleSum{bySum{s.Clone()}} }
func (s byStaleSum) empty() summed { return byStaleSum{bySum{new(Tree[int])}} }

func (s byStaleSum) Set(key string, v int) (int, bool) {
	if _, there := s.Get(key); !there || s.root.ownSum.Load() == nil {
		return s.Tree.Set(key, v)
	}
	own := s.root.ownSum.Load()
	old, replaced := s.Tree.Set(key, v)
	s.root.ownSum.Store(own)
	return old, replaced
}

func TestSumsAreEqualIfTheContentIs(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	require.NoError(t, compareSums(seeded(t), bySum{}, testsize.Pick(60, 200, 600)))
}

func TestCompareSumsFindsEveryMutant(t *testing.T) {
	t.Parallel()
	for name, mutant := range map[string]summed{
		"depends on the shape": byShape{}, "depends on the order": byOrder{}, "ignores values": byLength{}, "keeps a sum": byStaleSum{},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorIs(t, compareSums(seeded(t), mutant, 200), errDiffers)
		})
	}
}

// hashed is a tree with a map that receives the same writes.
type hashed struct {
	tree  summed
	model map[string]int
}

func (h hashed) write(r *rand.Rand, keys int) {
	key := fmt.Sprintf("number%05d", r.IntN(keys))
	if r.IntN(3) == 0 {
		h.tree.Delete(key)
		delete(h.model, key)
		return
	}
	v := r.IntN(3)
	h.tree.Set(key, v)
	h.model[key] = v
}

// again returns a tree with the same content, made by other writes in another order.
func (h hashed) again(r *rand.Rand, keys int) hashed {
	made := hashed{h.tree.empty(), map[string]int{}}
	for range r.IntN(2 * keys) {
		made.write(r, keys)
	}
	all := slices.Sorted(maps.Keys(h.model))
	for key := range made.model {
		if _, kept := h.model[key]; !kept {
			all = append(all, key)
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, key := range all {
		if v, kept := h.model[key]; kept {
			made.tree.Set(key, v)
		} else {
			made.tree.Delete(key)
		}
	}
	return hashed{made.tree, maps.Clone(h.model)}
}

// compareSums runs random histories on trees of one to many nodes. It returns an error if the
// hashes of two trees are equal and their content is not, or the other way round.
func compareSums(r *rand.Rand, s summed, histories int) error {
	for range histories {
		if err := compareForks(r, s, 1<<(2+r.IntN(9))); err != nil {
			return err
		}
	}
	return nil
}

func compareForks(r *rand.Rand, s summed, keys int) error {
	trees := []hashed{{s.empty(), map[string]int{}}}
	for round := range 10 {
		h := trees[r.IntN(len(trees))]
		for range 1 + r.IntN(keys) {
			h.write(r, keys)
		}
		if trees = append(trees, hashed{h.tree.fork(), maps.Clone(h.model)}); len(trees) > 4 {
			trees = trees[1:]
		}
		if r.IntN(2) == 0 {
			trees[len(trees)-1].write(r, keys)
		}
		for i, a := range append(slices.Clip(trees), h.again(r, keys)) {
			for j, b := range trees {
				if equal := maps.Equal(a.model, b.model); (a.tree.hash() == b.tree.hash()) != equal {
					return differs("round %d, %d keys: trees %d and %d are equal: %t", round, keys, i, j, equal)
				}
			}
		}
	}
	return nil
}

// TestForksShareTheirSums counts the hashes that a sum computes after a write to a fork.
func TestForksShareTheirSums(t *testing.T) {
	t.Parallel()
	r := seeded(t)
	keys := keysOf(r, testsize.Pick(20_000, 50_000, 200_000))
	tree := treeOf(keys)
	hashes := 0
	count := func(key string, _ *int) [32]byte {
		hashes++
		return sha256.Sum256([]byte(key))
	}
	origin := tree.Sum(count)
	require.Equal(t, len(keys), hashes)
	for range 100 {
		hashes = 0
		fork := tree.Clone()
		require.Equal(t, origin, fork.Sum(count))
		require.Zero(t, hashes, "a fork without a change")
		fork.Delete(keys[r.IntN(len(keys))])
		require.NotEqual(t, origin, fork.Sum(count))
		require.LessOrEqual(t, hashes, 4*maxEntries, "the nodes on one path, or two siblings")
		require.Equal(t, origin, tree.Sum(count))
	}
}

// TestSumsAreReads computes sums of shared nodes concurrently. The race detector verifies it.
func TestSumsAreReads(t *testing.T) {
	t.Parallel()
	tree := new(Tree[int])
	for i := range 2_000 {
		tree.Set(numbered(i), i)
	}
	want := [32]byte{}
	for k, v := range tree.From("") {
		addHash(&want, hashEntry(k, v))
	}
	var group sync.WaitGroup
	for i := range 4 {
		clone := tree.Clone()
		group.Go(func() {
			if tree.Sum(hashEntry) != want {
				t.Error("the sum of the origin differs")
			}
			clone.Set(numbered(i), -1)
			if clone.Sum(hashEntry) == want {
				t.Error("the sum of a changed fork is that of the origin")
			}
		})
	}
	group.Wait()
}

// addHash is the addition of [sum], byte by byte.
func addHash(total *[32]byte, h [32]byte) {
	carry := uint16(0)
	for i := range total {
		carry += uint16(total[i]) + uint16(h[i])
		total[i] = byte(carry)
		carry >>= 8
	}
}

// BenchmarkSumOfFork computes the sum of a fork after one write.
func BenchmarkSumOfFork(b *testing.B) {
	hash := func(key string, _ *int) [32]byte { return sha256.Sum256([]byte(key)) }
	atSizes(b, func(b *testing.B, keys []string, t *Tree[*int]) {
		t.Sum(hash)
		i := 0
		for b.Loop() {
			fork := t.Clone()
			fork.Set(keys[i], nil)
			if fork.Sum(hash) == [32]byte{} {
				b.Fatal("no sum")
			}
			i = (i + 1) % len(keys)
		}
	})
}
