// Command shop keeps an online shop in one DynamoDB table, and goes through its seventeen access patterns: from a customer by id to all that a
// customer did in a month.
//
// catalog.go, order.go, invoice.go and shipment.go are the model, schema.go the table, and store.go the data access object with one method
// for each pattern, in the order of the list. The rest only fills the table and talks; in the end it prints the sheet of the patterns, which
// the schema draws itself.
package main
