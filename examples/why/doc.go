// Command why shows what goes wrong with plain keys, retries and cursors, and what Trestle does
// instead. Each step has a file of its own, works on a table, and prints the result:
//
//   - keys.go: values that contain the delimiter
//   - mistakes.go: a schema with mistakes
//   - lostreply.go: a write whose response is lost
//   - stale.go: two writers of one item
//   - cursor.go: a cursor that comes back changed
package main
