// Command wishlist stores the data of a shop's user in one item collection. The data is split into
// small items by what is read together, and prefixes of the sort key select the parts:
//
//	U#  who the user is       U#Information, U#Address#Home
//	M#  what the user gathers M#Account, M#WishList#Public#2021-11-24T07:20:00Z#skis
//	P#  what the user prefers P#Language
//
// model.go and store.go are the code of a service. The other files print a tour. Its last step
// estimates the cost of one large item instead of the small ones.
package main
