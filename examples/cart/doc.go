// Command cart keeps what a web shop knows of its users: profile, addresses, shopping cart, wishes and orders. Instead of one large document
// each part is an item of its own, so that a page reads, and pays for, the part that it shows.
//
// model.go holds the entities, store.go what a service would write around them. The rest only talks.
package main
