// Command stars stores repositories of code, the stars that users give them, and the number of
// stars of each repository.
//
// A star is stored, deleted or moved in one transaction with the numbers that it changes. model.go
// declares this, and store.go is the data access object of a service. tour.go prints a tour.
package main
