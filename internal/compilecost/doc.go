// Package compilecost measures what an entity costs the Go compiler: CPU time, memory and program
// size. It has only tests and benchmarks.
//
// The compiler compiles all methods of a generic type for each entity, used or not: two functions
// for a method with a pointer receiver, four for one with a value receiver, and their type
// descriptors. Three rules follow:
//
//   - A method of a generic type is not inlined, else its body is repeated in its wrappers.
//   - Its body is one call of a plain function, which is not inlined either.
//   - A verb that few programs use is a generic function, which is compiled only where it is used.
//
// A package without entities takes 35 MB. With these included, 30 entities take about 13 MB each.
package compilecost
