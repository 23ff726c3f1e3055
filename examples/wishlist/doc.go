// Command wishlist keeps all that a shop knows of a user in one item collection, split into small items by what is read together, and
// shows how the prefixes of the sort key select from it.
//
//	U#  who the user is       U#Information, U#Address#Home
//	M#  what the user gathers M#Account, M#WishList#Public#2021-11-24T07:20:00Z#skis
//	P#  what the user prefers P#Language
//
// model.go and store.go are what a service would write; the rest only talks. The last step reckons what one large item in place of the
// small ones would cost.
package main
