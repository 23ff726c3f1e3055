// Package table is the operations on tables as a whole: making, changing and deleting them and their indexes, their streams, their tags, and
// the time that their items have to live.
//
// What takes the service minutes takes [engine.Config].TableDelay here, by the database's clock. Replies tell of a change as begun, as the
// service's do: CREATING, UPDATING, DELETING; whoever asks after the delay, at once where it is zero, is told of it as done. Counts and sizes
// are exact at any time, where the service brings them up to date every six hours.
package table
