//go:build !unix || aix || solaris

package main

import "context"

// lockFile does not lock: the standard library has no lock for these systems that ends with its
// process. Processes that start at once may download the same jars, each into a folder of its own.
// The first to finish wins.
func lockFile(context.Context, string) (unlock func(), err error) { return func() {}, nil }
