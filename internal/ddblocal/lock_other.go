//go:build !unix || aix || solaris

package ddblocal

import "context"

// lockFile does not lock where the standard library has no lock that ends with its process. Processes that start at once may then
// fetch the same jars, each into a folder of its own; the first to be ready wins.
func lockFile(context.Context, string) (unlock func(), err error) { return func() {}, nil }
