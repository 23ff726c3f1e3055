// Package tag parses struct tags strictly. It reports what package reflect silently ignores, such
// as a missing quote or a repeated key, with its offset. It also suggests the intended spelling.
package tag
