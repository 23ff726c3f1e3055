// Command photos stores the albums and the photos of tenants in one table, with the same IDs.
//
// Each tenant sees only its own items. An IAM policy does the same for programs that use the SDK
// alone. model.go declares the tenant, and store.go is the data access object of one tenant.
// tour.go prints a tour.
package main
