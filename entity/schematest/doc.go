// Package schematest keeps a schema's chart and description in a repository, so that no change of keys, indexes and attributes goes unreviewed.
//
//	func TestSchema(t *testing.T) { schematest.Check(t, app.Schema, "testdata/schema") }
//
// The first run, and every run with TRESTLE_UPDATE=1 in the environment, writes chart.md and schema.txt into the folder; any other compares, such as one
// with TRESTLE_UPDATE=0. What is stored otherwise through the methods of a Go type shows in neither.
package schematest
