// Package btree implements an ordered map that can be forked. A fork costs the same at any size.
// Neither side ever sees a write to the other.
//
// A [Tree] maps string keys, ordered by their bytes, to values: [Tree.Get], [Tree.Set],
// [Tree.Delete], [Tree.Clone], and three ways to range over it: [Tree.From], [Tree.Before] and
// [Tree.Last].
//
// Trees share their nodes. A node is owned by the tree that created it. Only that tree may change
// it in place, and only until the tree is cloned. From then on the node has no owner, and every
// tree copies it before a change. The first write after a clone copies the nodes on the path from
// the root, a few kilobytes. A write that reaches only owned nodes copies nothing.
//
// [Tree.Sum] is a hash of the content, whatever the order of the writes was. Nodes remember their
// part of it, so trees that share most nodes are compared at the cost of the others.
package btree
