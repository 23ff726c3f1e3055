// Command cart stores the profile, addresses, shopping cart, wishes and orders of the users of a
// web shop. Each part is an item of its own instead of a part of one large document, so that a page
// reads and pays for only what it shows.
//
// model.go has the entities and store.go the data access object of a service. The other files print
// a tour.
package main
