// Package define turns Go struct types and a table's configuration into a core.Schema and its core.Plans, and reports everything
// that is wrong with them, all at once and in source order. It is pure: it knows no client, and compiles nothing lazily.
//
// Schema reads the configuration, Compile one entity type, and Seal checks what only the whole can show. The faults of all three
// are put into words by Text.
package define
