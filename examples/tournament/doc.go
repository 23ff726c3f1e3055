// Command tournament stores tournaments of a game with their players, teams and matches. Each
// tournament has one partition, so that one query reads all of it or one part of it.
//
// model.go has the entities and store.go the data access object of a service. The other files print
// a tour.
package main
