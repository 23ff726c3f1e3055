// Package serverbench measures how many requests a server answers in a second over the loopback
// interface. It has only tests.
//
// TestTasks sends the requests of each task to a server of its own, and checks the replies.
// TestServers compares servers that run already, in interleaved rounds, and prints the rates:
//
//	go test -run TestServers -v -args -server ours=127.0.0.1:8000 -server other=127.0.0.1:8001
//
// Each server gets the same bytes from the same number of connections. The client shares the
// processors with the server, so it does as little as possible: it writes requests that were made
// before, and does not decode the replies.
package serverbench
