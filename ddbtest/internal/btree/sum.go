package btree

import (
	"encoding/binary"
	"math/bits"
)

// sum is a number of 256 bits, the least significant word first.
type sum [4]uint64

func (s *sum) add(o *sum) {
	var carry uint64
	for i := range s {
		s[i], carry = bits.Add64(s[i], o[i], carry)
	}
}

// Sum returns the sum of the hashes of all entries, modulo 2^256. hash must be a
// collision-resistant hash of a key and its value, and the same function in all calls on trees that
// share nodes.
//
// Addition is commutative and associative, so the sum depends on the content only: neither on the
// order of the writes nor on the shape of the tree. For two trees with different content, the sums
// of the hashes that only one of them has are two independent numbers of 256 bits. They are equal
// with a probability of 2^-256, unless somebody searches for entries that make them equal.
//
// A node keeps its sums until an entry at or below it changes. A call computes one hash for each
// entry of the nodes that were changed since the last call on a tree that shares them, and one
// addition for each of their children. A write only drops the sums on its path.
func (t *Tree[V]) Sum(hash func(key string, v V) [32]byte) (encoded [32]byte) {
	if t.root != nil {
		for i, word := range t.root.sumOf(hash) {
			binary.LittleEndian.PutUint64(encoded[8*i:], word)
		}
	}
	return encoded
}

// sumOf returns the sum of all entries at and below the node.
func (n *node[V]) sumOf(hash func(key string, v V) [32]byte) *sum {
	if known := n.sum.Load(); known != nil {
		return known
	}
	all := n.ownSumOf(hash)
	if !n.leaf() {
		below := *all
		for _, c := range n.children {
			below.add(c.sumOf(hash))
		}
		all = &below
	}
	n.sum.Store(all)
	return all
}

// ownSumOf returns the sum of the entries of the node.
func (n *node[V]) ownSumOf(hash func(key string, v V) [32]byte) *sum {
	if known := n.ownSum.Load(); known != nil {
		return known
	}
	own := new(sum)
	for _, e := range n.entries {
		h := hash(e.key.text, e.value)
		var words sum
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(h[8*i:])
		}
		own.add(&words)
	}
	n.ownSum.Store(own)
	return own
}

// forgetSum drops the sum of a node before an entry at or below it changes.
func (n *node[V]) forgetSum() {
	if n.sum.Load() != nil {
		n.sum.Store(nil)
	}
}

// forgetOwnSum drops the sum of the entries of a node before one of them changes.
func (n *node[V]) forgetOwnSum() {
	if n.ownSum.Load() != nil {
		n.ownSum.Store(nil)
	}
}
