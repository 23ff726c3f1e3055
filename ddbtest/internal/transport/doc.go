// Package transport carries requests of the service over HTTP, in memory or over a network, with the same meaning either way: what a client
// sees of a lost reply, a refused connection or a damaged body is what it would see of a server far away.
//
// A [Server] answers requests. [RoundTripper] hands it those of a client in the same process, [Handler] those of a listener.
package transport
