// Package sdkclient has the settings of a client of the SDK for DynamoDB: its connections, how it
// sends a request, and its retries.
package sdkclient
