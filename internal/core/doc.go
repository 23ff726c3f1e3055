// Package core defines the data that the packages of the library share: the compiled plan of an
// entity type, the schema that plans share, and the path of an attribute. It looks up plans,
// renders and parses keys, and does no I/O.
package core
