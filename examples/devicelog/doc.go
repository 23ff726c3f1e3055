// Command devicelog stores the states that devices report. Operators query the warnings of a
// device, the reports of a shift, and the reports that are escalated to a person.
//
// model.go has the report and its keys, and store.go the data access object of a service. The other
// files print a tour.
package main
