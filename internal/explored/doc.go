// Package explored has only tests. They run every protocol of the library that takes more than one
// request in every order, with faults, and they check that each condition of its requests is
// needed.
package explored
