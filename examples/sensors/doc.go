// Command sensors stores the readings of sensors in time buckets: a partition has the readings of
// one sensor and one day. So no partition grows without end, and old days are deleted as a whole.
//
// model.go declares the buckets, and store.go is the data access object of a service. A query of
// several days reads their partitions in the order of time, as if they were one. A sensor that
// reports many times a second has several partitions for each day: shards, which a query merges.
package main
