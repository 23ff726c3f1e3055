// Package libitem writes the items that the library adds to a table: those of counters, limits and
// locks. They have no entity type.
package libitem
