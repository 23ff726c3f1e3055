// Package wire turns the JSON of a request into the structs of package api, refusing what the service refuses in the service's own words,
// and replies and errors back into JSON.
//
// A request is read in one pass, with a plan that is made once for each type. What is found wrong is reported as the service does it: JSON
// that does not fit the request's shape ends the reading with a SerializationException; otherwise all members that break a constraint are
// reported together; and only then the first attribute value that cannot be.
package wire
