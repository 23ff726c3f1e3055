// Package schematest compares the chart and the description of a schema with committed files, so
// every change of keys, indexes and attributes is reviewed.
//
//	func TestSchema(t *testing.T) { schematest.Check(t, app.Schema, "testdata/schema") }
//
// If chart.md or schema.txt is missing in the folder, Check writes it and fails. Set
// TRESTLE_UPDATE=1 in the environment to update both files. The files do not describe what the
// methods of a Go type store, so Check does not detect a change of such a method.
package schematest
