// Package costtest tests the cost of the requests that code sends. A test calls the code, then
// lists the library calls that it expects. The test fails if the code sent other requests, or if
// the cost of a request differs from Explain.
//
//	func TestCosts(t *testing.T) {
//		meter := costtest.NewMeter(ddbtest.Client(t)) // records each request and its cost
//		store := newStore(t, meter)                   // opens its table with the meter
//
//		_, err := store.Overview(t.Context(), "c1")
//		require.NoError(t, err)
//		meter.Check(t, costtest.Query(query.Of(store.companies, Company{ID: "c1"}).Collection()))
//	}
//
// The test fails if code reads items in a loop instead of with one query or one batch. It also
// fails if code reads another index or writes an additional index.
//
// The meter measures the number and the size of the items that a request reads, so tests do not
// specify sizes. The cost of a write must be the cost that Explain returns, adjusted for a write
// that replaces an item, and for an item that is not in an index. An update may cost less if the
// key of an index entry does not change. The cost of a query may differ from Explain by half a read
// unit per request (one unit if strongly consistent), because Explain uses the average size of the
// items. A write is identified by its operation and key; values and conditions are not compared. A
// query is identified by its key condition and its filter, but the values in the filter, which may
// depend on the time, are not compared. [Transaction] expects a transaction, and [Batch] a batch
// read or write. The cost of guards and counting items assumes that they are at most 1 KB in size.
//
// The client may be one of package ddbtest, of DynamoDB Local, or of a table in AWS. The meter
// sends additional requests: it reads items before and after a write, repeats queries and scans
// without their filter, and describes the table.
package costtest
