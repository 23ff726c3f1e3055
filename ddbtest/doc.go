// Package ddbtest is a DynamoDB inside the process, for tests: no socket, no Docker, no Java.
package ddbtest
