// Package btree is an ordered map that can be forked: a fork costs the same at any size, and neither side ever sees what is written to the
// other.
//
// A [Tree] maps string keys, ordered by their bytes, to values: [Tree.Get], [Tree.Set], [Tree.Delete], [Tree.Clone], and three ways to range
// over it: [Tree.From], [Tree.Before] and [Tree.Last].
//
// Trees share their nodes. A node belongs to the one tree that made it, and only that one may change it in place, until the tree is cloned:
// from then on the node belongs to nobody, and whoever wants it otherwise copies it. So the first write after a clone copies the nodes on its
// way from the root, a few kilobytes, and a write that finds them its own copies nothing.
package btree
