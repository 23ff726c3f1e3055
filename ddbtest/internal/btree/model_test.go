package btree

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// subject is what the histories run on: a tree, or one of the mutants below.
type subject interface {
	Len() int
	Get(key string) (int, bool)
	Set(key string, v int) (int, bool)
	Delete(key string) (int, bool)
	Clear()
	From(lo string) iter.Seq2[string, int]
	Before(hi string) iter.Seq2[string, int]
	Last() iter.Seq2[string, int]
	fork() subject
	check() error
	levels() int
}

// plain is the tree itself.
type plain struct{ *Tree[int] }

func (s plain) fork() subject { return plain{s.Clone()} }
func (s plain) check() error  { return s.Tree.check() }

func (s plain) levels() (n int) {
	for at := s.root; at != nil; n++ {
		if at.leaf() {
			return n + 1
		}
		at = at.children[0]
	}
	return n
}

func TestTreesEqualSortedMaps(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := seeded(t)
	var met shapes
	// The mutants below are found after up to 570 steps, so one history finds them.
	for range testsize.Pick(5, 10, 40) {
		require.NoError(t, history(r, plain{new(Tree[int])}, 6_000, &met))
	}
	require.GreaterOrEqual(t, met.levels, 3, "the histories must reach deep trees")
	require.Positive(t, met.emptied, "the histories must empty trees")
}

// Each mutant has one typical defect of such a tree.
func TestHistoriesFindEveryMutant(t *testing.T) {
	t.Parallel()
	for name, mutant := range map[string]subject{
		"the origin changes shared nodes": keeping{plain{new(Tree[int])}},
		"clones share nodes":              sharing{plain{new(Tree[int])}},
		"clones share all but their root": rootCopying{plain{new(Tree[int])}},
		"Before has its bound":            inclusive{plain{new(Tree[int])}},
		"From has not its bound":          exclusive{plain{new(Tree[int])}},
		"a replaced key counts":           counting{plain{new(Tree[int])}, new(int)},
		"heads only are compared":         headOnly{plain{new(Tree[int])}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorIs(t, history(seeded(t), mutant, 100_000, new(shapes)), errDiffers)
		})
	}
}

type keeping struct{ plain }

func (s keeping) fork() subject { return keeping{plain{&Tree[int]{root: s.root, length: s.length}}} }

type sharing struct{ plain }

func (s sharing) fork() subject {
	return sharing{plain{&Tree[int]{root: s.root, length: s.length, owner: s.owner}}}
}

type rootCopying struct{ plain }

func (s rootCopying) fork() subject {
	c := &Tree[int]{root: s.root, length: s.length, owner: s.owner}
	if c.root != nil {
		c.root = c.writer().newNode(c.root.entries, c.root.children)
	}
	return rootCopying{plain{c}}
}

type inclusive struct{ plain }

func (s inclusive) fork() subject                           { return inclusive{plain{s.Clone()}} }
func (s inclusive) Before(hi string) iter.Seq2[string, int] { return s.plain.Before(hi + "\x00") }

type exclusive struct{ plain }

func (s exclusive) fork() subject                         { return exclusive{plain{s.Clone()}} }
func (s exclusive) From(lo string) iter.Seq2[string, int] { return s.plain.From(lo + "\x00") }

type counting struct {
	plain
	extra *int
}

func (s counting) fork() subject {
	extra := *s.extra
	return counting{plain{s.Clone()}, &extra}
}

func (s counting) Len() int { return s.plain.Len() + *s.extra }

func (s counting) Set(key string, v int) (int, bool) {
	old, replaced := s.plain.Set(key, v)
	if replaced {
		*s.extra++
	}
	return old, replaced
}

type headOnly struct{ plain }

func (s headOnly) fork() subject { return headOnly{plain{s.Clone()}} }

func (s headOnly) Get(key string) (int, bool) {
	for k, v := range s.From(key[:min(8, len(key))]) {
		return v, newKey(k).head == newKey(key).head
	}
	return 0, false
}

var errDiffers = errors.New("the tree differs from the model")

func differs(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errDiffers, fmt.Sprintf(format, args...))
}

// twin is a tree with a map that receives the same writes.
type twin struct {
	tree  subject
	model map[string]int
}

// shapes records what the histories reached.
type shapes struct {
	levels  int // of the deepest tree
	emptied int // how often a tree became empty
}

// history forks, reads and writes trees at random, including forks of forks. It returns the first
// difference from the maps.
func history(r *rand.Rand, s subject, steps int, met *shapes) error {
	twins := []twin{{s, map[string]int{}}}
	for step := range steps {
		i := r.IntN(len(twins))
		w := twins[i]
		before := len(w.model)
		var err error
		switch {
		case step%500 == 499:
			twins = append(twins, twin{w.tree.fork(), maps.Clone(w.model)})
			// Drop old trees, so that newer ones can grow old.
			if len(twins) > 5 {
				twins = twins[1:]
			}
			err = compare(r, twins)
		case step%3_000 < 2_000:
			err = w.grow(r, step)
		default:
			err = w.shrink(r, step)
		}
		if err != nil {
			return fmt.Errorf("step %d, tree %d of %d: %w", step, i, len(twins), err)
		}
		met.levels = max(met.levels, w.tree.levels())
		if before > 0 && len(w.model) == 0 {
			met.emptied++
		}
	}
	return compare(r, twins)
}

// grow sets more keys than it deletes.
func (w twin) grow(r *rand.Rand, v int) error {
	for _, key := range someKeys(r) {
		write := w.set
		if r.IntN(5) == 0 {
			write = w.remove
		}
		if err := write(key, v); err != nil {
			return err
		}
	}
	return w.get(someKeys(r)[0])
}

// shrink deletes a range of keys, and sometimes sets some.
func (w twin) shrink(r *rand.Rand, v int) error {
	switch r.IntN(200) {
	case 0:
		w.tree.Clear()
		clear(w.model)
	case 1, 2, 3, 4, 5, 6, 7, 8, 9:
		return w.set(someKeys(r)[0], v)
	}
	var keys []string
	for key := range w.tree.From(someKeys(r)[0]) {
		if keys = append(keys, key); len(keys) > r.IntN(8*maxEntries) {
			break
		}
	}
	for _, key := range append(keys, someKeys(r)[0]) {
		if err := w.remove(key, v); err != nil {
			return err
		}
	}
	return w.get(someKeys(r)[0])
}

func (w twin) get(key string) error {
	got, ok := w.tree.Get(key)
	return w.agree("Get", key, got, ok)
}

func (w twin) set(key string, v int) error {
	got, replaced := w.tree.Set(key, v)
	err := w.agree("Set", key, got, replaced)
	w.model[key] = v
	return err
}

func (w twin) remove(key string, _ int) error {
	got, ok := w.tree.Delete(key)
	err := w.agree("Delete", key, got, ok)
	delete(w.model, key)
	return err
}

// agree compares what a tree returned for a key with the model.
func (w twin) agree(what, key string, got int, ok bool) error {
	if wanted, there := w.model[key]; got != wanted || ok != there {
		return differs("%s(%q) returned %d, %t, not %d, %t", what, key, got, ok, wanted, there)
	}
	return nil
}

// someKeys returns a few keys, or a run of up to one node's size, out of about ten thousand. The
// keys are numbers with a common prefix, or short keys that are hard to order: the empty key,
// prefixes of other keys, and keys that differ in trailing zeros.
func someKeys(r *rand.Rand) []string {
	if r.IntN(4) == 0 {
		short := make([]byte, r.IntN(11))
		for i := range short {
			short[i] = "\x00\x00\x01a\xfe\xff"[r.IntN(6)]
		}
		return []string{string(short)}
	}
	keys := make([]string, 1+r.IntN(2)*r.IntN(maxEntries))
	first := r.IntN(8_000)
	for i := range keys {
		keys[i] = fmt.Sprintf("number%05d", first+i)
	}
	return keys
}

func compare(r *rand.Rand, twins []twin) error {
	for i, w := range twins {
		if err := w.compare(r); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	return nil
}

// compare compares the whole tree, and ranges of it, with the model.
func (w twin) compare(r *rand.Rand) error {
	if err := w.tree.check(); err != nil {
		return err
	}
	if got := w.tree.Len(); got != len(w.model) {
		return differs("Len() = %d, not %d", got, len(w.model))
	}
	keys := slices.Sorted(maps.Keys(w.model))
	if err := w.same("From()", w.tree.From(""), keys, len(keys)+1); err != nil {
		return err
	}
	for range 20 {
		bound := someKeys(r)[0]
		at, _ := slices.BinarySearch(keys, bound)
		count := 1 + r.IntN(3*maxEntries)
		if err := w.same(fmt.Sprintf("From(%q)", bound), w.tree.From(bound), keys[at:], count); err != nil {
			return err
		}
		down := slices.Clone(keys[:at])
		slices.Reverse(down)
		if err := w.same(fmt.Sprintf("Before(%q)", bound), w.tree.Before(bound), down, count); err != nil {
			return err
		}
	}
	slices.Reverse(keys)
	return w.same("Last()", w.tree.Last(), keys, len(keys)+1)
}

// same compares what a range yields with the keys. It stops after count keys.
func (w twin) same(what string, got iter.Seq2[string, int], keys []string, count int) error {
	n := 0
	for k, v := range got {
		switch {
		case n == len(keys):
			return differs("%s has %q behind its end", what, k)
		case k != keys[n]:
			return differs("%s has %q in the place of %q", what, k, keys[n])
		case v != w.model[k]:
			return differs("%s has %d for %q, not %d", what, v, k, w.model[k])
		}
		if n++; n == count {
			return nil
		}
	}
	if n < len(keys) {
		return differs("%s ends before %q", what, keys[n])
	}
	return nil
}

// seeded returns a random source and logs its seed.
func seeded(t testing.TB) *rand.Rand {
	t.Helper()
	return testrand.New(t)
}
