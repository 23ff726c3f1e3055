// Package lambdatest checks that aws-lambda-go decodes the events of package ddbtest. It is a
// separate module, so that the main module does not depend on aws-lambda-go.
package lambdatest
