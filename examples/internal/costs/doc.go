// Package costs holds what the library says that the requests of the example programs cost against what they do cost.
package costs
