// Command company keeps companies, their employees and their projects in one DynamoDB table, and shows each access pattern at work.
//
// store.go is what a service would write: three entities, their table and the data access object around them. assignment.go adds the
// many-to-many relation of employees and projects. The rest only talks.
package main
