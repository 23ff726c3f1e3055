// Package wire decodes the JSON of requests into the structs of package api, with the service's
// error messages. It encodes replies and errors as JSON.
//
// A request is decoded in one pass, with a plan that is made once for each type. Errors are
// reported in the service's order. JSON that does not fit the request ends the decoding with a
// SerializationException. Otherwise, all members that violate a constraint are reported together.
// Only then the first invalid attribute value is reported.
package wire
