// Package table implements the operations on tables: it creates, updates and deletes tables and
// their indexes, and manages their streams, tags and time to live.
//
// An operation that takes minutes at the service takes [engine.Config].TableDelay here, by the
// database's clock. As at the service, the reply shows the change in progress: CREATING, UPDATING
// or DELETING. After the delay, or at once if it is zero, descriptions show it as completed. Counts
// and sizes are always exact. The service updates them every six hours.
package table
