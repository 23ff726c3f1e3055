// Command signup stores users whose user name and e-mail address no other user has.
//
// model.go declares the unique values, and store.go is the data access object of a service. The
// other files print a tour: clashes, a new name, an exchange of names, a deletion, and a race.
package main
