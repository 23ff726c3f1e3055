// Command shop stores an online shop in one DynamoDB table and runs its seventeen access patterns,
// from a customer by ID to the activity of a customer in a month.
//
// catalog.go, order.go, invoice.go and shipment.go have the entities, and schema.go has the table.
// store.go is the data access object, with one method per pattern in the order of the list. The
// other files fill the table and print a tour. At the end the program prints the chart of access
// patterns that the schema generates.
package main
