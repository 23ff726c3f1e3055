// Package schema documents the schema of a table, compares it with an earlier one, and makes the
// IAM policy of a tenant. It sends nothing, and a running service does not need it.
//
// [Chart] is for readers: the entity chart and the table of access patterns. [Text] describes how
// the schema stores and reads items, and [Compare] tells what a changed schema means for stored
// items. Package schematest compares both with committed files, in one line of a test:
//
//	func TestSchema(t *testing.T) { schematest.Check(t, app.Schema, "testdata/schema") }
//
// [TenantPolicy] returns the IAM policy that restricts a program to the items of one tenant.
package schema
