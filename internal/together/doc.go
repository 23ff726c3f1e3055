// Package together tests all features of the library in one table: tenants with their index,
// versions, timestamps, unique values, counts, times to live, sharded partitions, transactions,
// batches and lost replies. Random calls are compared with a model, call by call and item by item.
package together
