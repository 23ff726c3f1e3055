// Command bank transfers money between accounts, in transactions that are applied once or not at
// all.
//
// model.go has the accounts and their entries, and store.go is the data access object of a service.
// The other files print a tour. faults.go loses requests and replies of the in-process database; on
// a server these steps are left out. After each step an audit reads all balances: their sum never
// changes.
package main
