// Package control is the control endpoint of ddbtest: faults, the clock, cost and more, for tests
// in any language. docs/ddbtest.md describes it. openapi.yaml and components.yaml specify it. Each
// concept has a file, with its routes and the JSON of its requests and replies.
package control

import (
	_ "embed"
	"net/http"
	"slices"
)

// Prefix is the path of the endpoint. No client of DynamoDB uses it.
const Prefix = "/_ddbtest/v1/"

// The OpenAPI document is in two files, which are joined: the paths and the components.
var (
	//go:embed openapi.yaml
	paths []byte
	//go:embed components.yaml
	components []byte
)

// Specification returns the OpenAPI document of the endpoint.
func Specification() []byte { return slices.Concat(paths, components) }

// Routes returns all routes.
func Routes() []Route {
	var all []Route
	for _, routes := range [][]Route{
		specificationRoutes, databaseRoutes, faultRoutes, heldRoutes, clockRoutes, lagRoutes, costRoutes, requestRoutes,
		budgetRoutes, snapshotRoutes, tableRoutes, partitionRoutes, recordingRoutes, fixtureRoutes, policyRoutes,
	} {
		all = append(all, routes...)
	}
	return all
}

var specificationRoutes = []Route{{
	Method: http.MethodGet, Path: "/openapi.yaml", NoDatabase: true,
	handle: func(*call) (any, error) { return file{contentType: "application/yaml", content: Specification()}, nil },
}}
