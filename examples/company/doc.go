// Command company stores companies, their employees and their projects in one DynamoDB table, and
// runs each access pattern.
//
// model.go has three entities and store.go the data access object of a service. assignment.go adds
// the many-to-many relation of employees and projects. The other files print a tour.
package main
