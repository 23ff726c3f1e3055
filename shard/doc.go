// Package shard counts exactly, at a rate that is higher than that of one item.
package shard
