// Command why shows what goes wrong with plain keys, retries and cursors, and what Trestle does
// instead. Each step has its own file:
//
//   - keys.go: values that contain the delimiter
//   - mistakes.go: a schema with mistakes
//   - lostreply.go: a write whose reply is lost
//   - stale.go: two writers of one item
//   - cursor.go: a forged cursor
package main
