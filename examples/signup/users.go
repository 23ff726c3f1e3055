package main

// The users of the tour. The ID of Peter has seven digits in its first group, as in the source of
// these data: an ID is any text that no other user has.
var (
	bobby = User{
		ID: "b201c1f2-238e-461f-88e6-0e606fbc3c51", UserName: "btables", Email: "bobby.tables@gmail.com", FullName: "Bobby Tables", Phone: "+1-202-555-0124",
	}
	john = User{
		ID: "8ec436a8-97e6-4e72-aec2-b47668e96a94", UserName: "jsmith", Email: "johnsmith@yahoo.com", FullName: "John Smith", Phone: "+1-404-555-9325",
	}
	peter = User{
		ID: "ed78b78-29f9-4893-a432-4c4f50b0d1c4", UserName: "phonork", Email: "pphonork", FullName: "Peter Phonorkus", Phone: "+1-805-555-0820",
	}
)
