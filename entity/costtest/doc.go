// Package costtest tests what the requests of a data access object cost: a test calls the object,
// then names the calls of the library that it expects. It fails where the requests are others, or
// where one cost more or less than Explain says.
//
//	func TestCosts(t *testing.T) {
//		meter := costtest.NewMeter(ddbtest.Client(t)) // a client that records each request and its cost
//		store := newStore(t, meter)                   // the code under test opens its table on the meter
//
//		_, err := store.Overview(t.Context(), "c1")
//		require.NoError(t, err)
//		meter.Check(t, costtest.Query(query.Of(store.companies, Company{ID: "c1"}).Collection()))
//	}
//
// Code that reads items in a loop fails such a test where one query or one batch is expected. So
// does code that reads another index, or that writes one index more.
//
// The meter measures how many items a request reads and how large they are, so a test names no
// sizes. The cost of a write must be exactly what Explain says, corrected for an item that replaces
// another or is not on an index. The cost of a query may differ by half a read unit for each
// request, by one where it is strongly consistent, because Explain knows the average size of the
// items only. A write is recognized by its operation and key: its values and conditions are not
// compared.
//
// The client may be one of package ddbtest, of DynamoDB Local, or of a table in AWS. The meter
// sends requests of its own beside those of the code under test: it reads items before and after a
// write, repeats queries and scans without their filter, and describes the table.
package costtest
