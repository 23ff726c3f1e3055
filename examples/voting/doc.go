// Command voting counts votes that many voters cast at the same time. Each vote counts once, also
// if a reply is lost, or if a voter sends it again.
//
// The count of a candidate is a counter with shards. store.go is the data access object of a
// service. cast.go lets voters vote at the same time, and counts.go reads the shards for the view.
// On a terminal, screen.go draws the view again and again while votes arrive. Elsewhere, the view
// is printed when all votes of a step have arrived. faults.go loses replies of the in-process
// database; on a server this step has no faults.
package main
