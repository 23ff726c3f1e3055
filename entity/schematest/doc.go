// Package schematest keeps a schema's chart and description in a repository, so that no change of how items are stored goes unreviewed.
//
//	func TestSchema(t *testing.T) { schematest.Check(t, app.Schema, "testdata/schema") }
//
// The first run, and every run with TRESTLE_UPDATE=1 in the environment, writes chart.md and schema.txt into the folder; any other compares.
package schematest
