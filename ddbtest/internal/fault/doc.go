// Package fault decides which faults happen to a request: which rules match it, and what they do
// before, during and after its execution.
//
// A [Spec] describes which requests a rule matches and what it does to them. [Compile] validates a
// Spec and makes a [Rule] of it. [Rules] evaluates its rules for each request and combines their
// effects in one [Plan]. [HeldRequests] holds the requests that reach the database late.
//
// Each effect has one constructor, in errors.go, reply.go, overrides.go or throttle.go.
package fault
