// Package schematest compares the chart and the description of a schema with committed files, so
// every change of keys, indexes and attributes is reviewed.
//
//	func TestSchema(t *testing.T) { schematest.Check(t, app.Schema, "testdata/schema") }
//
// The first run writes chart.md and schema.txt into the folder. So does every run with
// TRESTLE_UPDATE=1 in the environment. All other runs, such as one with TRESTLE_UPDATE=0, compare.
// The files do not show changes of what the methods of a Go type store.
package schematest
