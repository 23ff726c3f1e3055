// Package compilecost measures what an entity of a service costs the compiler: in CPU time, in
// memory, and in the size of the program. It has tests and benchmarks only.
package compilecost
