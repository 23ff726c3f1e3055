// Package define compiles Go struct types and a table's configuration into a core.Schema and its
// core.Plans. It reports all issues at once, in source order. It uses no client and compiles
// nothing lazily.
//
// Schema compiles the configuration, Compile compiles one entity type, and Validate checks all
// types together. Text formats the issues of all three.
package define
