package fault

import (
	"maps"
	"slices"
)

// operationSet is a set of kinds of operations. It states where an effect applies.
type operationSet uint16

const (
	get operationSet = 1 << iota
	write
	batchGet
	batchWrite
	transactGet
	transactWrite
	page
	tableOperation
	tagging // of tables; their replies have no body that a client reads
	account // of the account; they name no table
	iterator
	records
	streams

	allOperations operationSet = streams<<1 - 1
	onItems                    = get | write | batchGet | batchWrite | transactGet | transactWrite
	onTable                    = onItems | page | tableOperation | tagging | iterator | records | streams
	writes                     = write | batchWrite | transactWrite
	withReplyBody              = allOperations &^ tagging
	batches                    = batchGet | batchWrite
	transactions               = transactGet | transactWrite
)

// operations lists all operations that a rule may name.
var operations = map[string]operationSet{
	"GetItem":            get,
	"PutItem":            write,
	"UpdateItem":         write,
	"DeleteItem":         write,
	"Query":              page,
	"Scan":               page,
	"BatchGetItem":       batchGet,
	"BatchWriteItem":     batchWrite,
	"TransactGetItems":   transactGet,
	"TransactWriteItems": transactWrite,

	// What a request of PartiQL runs as is known for each request: see [Request.RunsAs].
	"ExecuteStatement":      write | page,
	"BatchExecuteStatement": batches,
	"ExecuteTransaction":    transactions,

	"CreateTable":        tableOperation,
	"DescribeTable":      tableOperation,
	"DeleteTable":        tableOperation,
	"UpdateTable":        tableOperation,
	"UpdateTimeToLive":   tableOperation,
	"DescribeTimeToLive": tableOperation,
	"TagResource":        tagging,
	"UntagResource":      tagging,
	"ListTagsOfResource": tableOperation,
	"ListTables":         account,
	"DescribeLimits":     account,
	"DescribeEndpoints":  account,

	"UpdateContinuousBackups":   tableOperation,
	"DescribeContinuousBackups": tableOperation,

	"ListBackups":      account,
	"ListExports":      account,
	"ListImports":      account,
	"ListGlobalTables": account,

	"DescribeContributorInsights":         tableOperation,
	"DescribeKinesisStreamingDestination": tableOperation,

	"GetShardIterator": iterator,
	"GetRecords":       records,
	"DescribeStream":   streams,
	"ListStreams":      streams,
}

// Operations returns the sorted names of all operations.
func Operations() []string { return slices.Sorted(maps.Keys(operations)) }

// OfStreams reports whether the operation belongs to DynamoDB Streams.
func OfStreams(operation string) bool {
	switch operation {
	case "GetShardIterator", "GetRecords", "DescribeStream", "ListStreams":
		return true
	}
	return false
}

// IsPage reports whether the operation is Query or Scan. For PartiQL, pass what it runs as.
func IsPage(operation string) bool { return operation == "Query" || operation == "Scan" }

// IsKeyed reports whether the operation names the items that it reads or writes.
func IsKeyed(operation string) bool { return operations[operation]&onItems != 0 }

// IsWrite reports whether the operation writes items.
func IsWrite(operation string) bool { return operations[operation]&writes != 0 }

// IsBatch reports whether the operation may leave parts of its request unprocessed.
func IsBatch(operation string) bool { return operations[operation]&batches != 0 }

// IsTransaction reports whether the operation applies its whole request or nothing.
func IsTransaction(operation string) bool { return operations[operation]&transactions != 0 }
