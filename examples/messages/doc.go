// Command messages stores messages that expire after seven days.
//
// model.go declares the time to live, and store.go is the data access object of a service. tour.go
// sends messages and reads them. clock.go moves the clock of an in-process database: messages
// expire, are hidden, and are deleted later. stream.go finds in the table's stream what the time to
// live has deleted, to archive it. On a server, whose clock cannot be moved, these steps are left
// out.
package main
