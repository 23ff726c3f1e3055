// Command tournament keeps tournaments of a game with their players, teams and matches, each tournament in one partition, so that all of one
// is read with one request and each part of it by itself.
//
// model.go holds the entities, store.go what a service would write around them. The rest only talks.
package main
