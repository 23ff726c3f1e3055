// Package ddblocal finds or starts DynamoDB Local. A server that it starts ends with the program.
//
// [Start] tries these in order:
//
//  1. DYNAMODB_ENDPOINT in the environment: a server that already runs;
//  2. Java 17 or newer: Maven downloads the jars once from Maven Central into the user's cache
//     folder;
//  3. Docker: the public image, through the nested module internal/dockerlocal.
//
// A server that Start starts ends with [Server.Close], or with the process that started it, even if
// that process is killed.
//
// The package reads nothing from the AWS environment. [Server.Client] returns clients without it,
// and each access key has a database of its own. The server keeps a database until it ends. Each
// takes about 1 MB and three threads: use one per test, not one for each of a thousand random
// cases.
package ddblocal
