// Package tag reads struct tags strictly: what the reflect package silently ignores, such as a missing quote or a key given
// twice, is reported with its place. It also finds the spelling that was probably meant.
package tag
