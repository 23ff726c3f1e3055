// Package query reads many items: exactly those of an access pattern, typed, bounded to the entity, and never by a Scan.
//
// [Of] reads a partition of the table, [On] one of a declared access pattern through its index; the partition is given by example, and
// [Query.Where] narrows it by the fields of the sort key. [Query.All] streams the entities.
//
//	for e, err := range query.On(employees, "by-hire", Employee{CompanyID: "c001"}).All(ctx) { … }
//
// [Query.Collection] is the whole item collection, every type in it: [Items] streams its items as Go values, [Load] sorts them into the fields of a
// struct, in one pass:
//
//	var view struct { Company Company; Employees []Employee; Projects []Project }
//	err := query.Load(ctx, query.Of(companies, Company{ID: "c001"}).Collection(), &view)
//
// What is wrong with a query is said, all at once, by whatever ends it, before anything is sent ([entity.ErrInvalid]). Reads cost half a read unit for each
// 4 KB begun of all that a page passes, and twice that strongly consistent.
package query
