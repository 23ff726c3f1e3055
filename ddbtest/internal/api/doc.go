// Package api is the requests and replies of the service as plain Go structs, which package wire reads from JSON and writes to it.
//
// A field stands in JSON under its Go name, or under that of its tag `json`. Absent members are nil, or the zero value where that can mean
// nothing else. The tag `api` of a request's field holds the constraints that the service checks before anything else, separated by commas:
//
//	required      the member must be there
//	parameter     it must, and the service says so in other words
//	needed=OP     it must, and must not be empty, which the service says in other words that name the operation
//	min=N max=N   bounds of a number, of a text's length or of a collection's size
//	enum=A|B      the texts allowed, in the order of the service's message
//	name          a table's or an index's name: its characters and length
//	table         a table's name, or its ARN; with name, that of a table to be made
//	tables        a map whose keys are such names
//	each=N        a map whose values are lists of 1 to N elements, or a list of texts of 1 to N characters
//	terse         the service's messages spell the member as the request does, and leave out its value
//	long          an integer that the service's messages call a Long
//	unread=A|B    members that are not understood here: the field lists which of them the request has, and their values are not read
package api
