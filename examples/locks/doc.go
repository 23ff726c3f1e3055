// Command locks publishes a monthly report by one of several workers at a time.
//
// A worker stops while it has the lock, and its lease ends. Another worker acquires the lock. When
// the first one goes on, what it writes is refused. store.go is the data access object of a
// service. tour.go prints a tour.
package main
