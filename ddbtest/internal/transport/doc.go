// Package transport carries requests to a server, in memory or over a network. Both behave the
// same: a client sees a lost reply, a refused connection or a damaged body as it would with a
// remote server.
//
// Both decompress requests and compress replies as the service does, so that a [Server] sees only
// JSON.
//
// A [Server] serves requests. [RoundTripper] passes it the requests of a client in the same
// process, and [Handler] passes it those of an HTTP listener.
package transport
