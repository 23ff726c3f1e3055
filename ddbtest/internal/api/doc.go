// Package api defines the requests and replies of the service as plain Go structs. Package wire
// decodes them from JSON and encodes them as JSON.
//
// The JSON name of a field is its Go name, or the name in its `json` tag. An absent member is nil,
// or the zero value if the zero value has no other meaning. The `api` tag of a request's field
// lists the constraints, separated by commas. The service checks them before anything else:
//
//	required      the member is required
//	parameter     the member is required; the error message has another text
//	needed=OP     the member is required and not empty; the error message names the operation
//	min=N max=N   bounds of a number, a string length or a collection size
//	enum=A|B      the allowed strings, in the order of the service's error message
//	name          the name of a table or an index: its characters and its length
//	table         a table name or ARN; with name: the name of a table to create
//	tables        a map whose keys are table names or ARNs
//	each=N        a map whose values are lists of 1 to N elements,
//	              or a list of strings of 1 to N characters
//	terse         error messages spell the member as the request does, and omit its value
//	long          an integer whose type is Long in error messages
//	unsupported=A|B
//	              members that ddbtest rejects: the field lists those that the request
//	              has; their values are not read
package api
