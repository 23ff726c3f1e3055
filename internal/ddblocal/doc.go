// Package ddblocal gives a program a running DynamoDB Local, the one that AWS publishes: found or started, and gone when the program is.
//
// [Start] looks in this order:
//
//  1. the environment's DYNAMODB_ENDPOINT: a server that runs already;
//  2. Java 17 or newer: the jars come from Maven Central through Maven, once, into a folder of the user's cache;
//  3. Docker: the public image, through the nested module internal/dockerlocal.
//
// A server started here ends with [Server.Close], and with the process that started it, however that ends.
//
// Nothing is read from the AWS environment: [Server.Client] makes clients by hand, and every access key has a database of its own.
// The server keeps a database until it ends, at about 1 MB and three threads each: one for a test is fine, one for each of a thousand random cases is not.
package ddblocal
