// Package query reads many items: exactly those of an access pattern, typed, bounded to the entity, and never by a Scan that nobody asked for.
//
// [Of] reads a partition of the table, [On] one of a declared access pattern through its index; the partition is given by example, and
// [Query.Where] narrows it by the fields of the sort key. [Query.All] streams the entities.
//
//	for e, err := range query.On(employees, "by-hire", Employee{CompanyID: "c001"}).All(ctx) { … }
//
// [Query.Collect], [Query.First], [Query.One], [Query.Count] and [Query.Page] end a query too; [As] reads a smaller struct of each entity.
// Pages go on from cursors, which a table makes that was opened with [entity.Cursors].
//
// [Query.Collection] is the whole item collection, every type in it: [Items] streams its items as Go values, [Load] sorts them into the fields of a
// struct, in one pass:
//
//	var view struct { Company Company; Employees []Employee; Projects []Project }
//	err := query.Load(ctx, query.Of(companies, Company{ID: "c001"}).Collection(), &view)
//
// [GetMany] reads items of several types by their keys, beside [entity.Repo.GetMany]. [Scan], [ScanTable] and [ScanStored] read whole
// tables, in parallel where asked.
//
// What is wrong with a query is said, all at once, by whatever ends it, before anything is sent ([entity.ErrInvalid]). Reads cost half a read unit for each
// 4 KB begun of all that a page passes, and twice that strongly consistent; [Query.Explain] says what a read would do and about what it would cost.
package query
