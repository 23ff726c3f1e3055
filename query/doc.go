// Package query reads many items. A query reads exactly the items of one access pattern, decodes
// them into their Go type, and never runs a Scan unless the caller requests one.
//
// [Of] reads a partition of the table. [On] reads a partition of a declared access pattern through
// its index. The example is an entity with the fields of the partition key set. [Query.Where] adds
// conditions on the fields of the sort key. [Query.All] streams the entities.
//
//	hires := query.On(employees, "by-hire", Employee{CompanyID: "c001"})
//	for e, err := range hires.All(ctx) { … }
//
// [Query.Collect], [Query.First], [Query.One], [Query.Count] and [Query.Page] run a query too. [As]
// reads a smaller struct of each entity. Pages continue from cursors. Cursors require a table that
// was opened with [entity.Cursors] or [entity.PlainCursors].
//
// An index that projects the keys or some attributes holds less than the items. [Query.Fetch] reads
// the whole items of its entries.
//
// A query of a partition with shards, or of several periods of time, reads several partitions: see
// [Of]. It has one order and one cursor.
//
// [Query.Collection] reads the item collection: the items of every type in the partition. [Items]
// streams these items as Go values. [Load] reads them into the fields of a struct, in one pass:
//
//	var view struct { Company Company; Employees []Employee; Projects []Project }
//	err := query.Load(ctx, query.Of(companies, Company{ID: "c001"}).Collection(), &view)
//
// [GetMany] reads items of several types by their keys. [entity.Repo.GetMany] does so for one type.
// [Scan], [ScanTable] and [ScanStored] read whole tables, in parallel if requested.
//
// A method that runs a query reports all mistakes in the query at once, before it sends a request
// ([trestle.ErrInvalid]). An eventually consistent read costs half a read unit for each started 4
// KB of the items that a page reads; a strongly consistent read costs twice as much.
// [Query.Explain] reports what a read would do and estimates its cost.
package query
