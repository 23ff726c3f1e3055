package fault

import (
	"maps"
	"slices"
)

// class is a set of kinds of operations. It states where an effect applies.
type class uint16

const (
	get class = 1 << iota
	write
	batchGet
	batchWrite
	transactGet
	transactWrite
	page
	control
	tagging // of tables; their replies have nothing that a client reads
	listing // of all tables; they name none
	iterator
	records
	streams

	anywhere  class = streams<<1 - 1
	keyed           = get | write | batchGet | batchWrite | transactGet | transactWrite
	ofTables        = keyed | page | control | tagging | iterator | records | streams
	writes          = write | batchWrite | transactWrite
	telling         = anywhere &^ tagging
	batches         = batchGet | batchWrite
	transacts       = transactGet | transactWrite
)

// operations lists all operations that a rule may name.
var operations = map[string]class{
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

	"CreateTable":        control,
	"DescribeTable":      control,
	"DeleteTable":        control,
	"UpdateTable":        control,
	"UpdateTimeToLive":   control,
	"DescribeTimeToLive": control,
	"TagResource":        tagging,
	"UntagResource":      tagging,
	"ListTagsOfResource": control,
	"ListTables":         listing,

	"GetShardIterator": iterator,
	"GetRecords":       records,
	"DescribeStream":   streams,
	"ListStreams":      streams,
}

// Operations returns the sorted names of all operations.
func Operations() []string { return slices.Sorted(maps.Keys(operations)) }

// OfStreams reports whether the operation belongs to DynamoDB Streams.
func OfStreams(operation string) bool { return operations[operation]&(iterator|records|streams) != 0 }

// IsPage reports whether the operation is Query or Scan.
func IsPage(operation string) bool { return operations[operation] == page }

// IsKeyed reports whether the operation names the items that it reads or writes.
func IsKeyed(operation string) bool { return operations[operation]&keyed != 0 }

// IsWrite reports whether the operation writes items.
func IsWrite(operation string) bool { return operations[operation]&writes != 0 }

// IsBatch reports whether the operation may leave parts of its request unprocessed.
func IsBatch(operation string) bool { return operations[operation]&batches != 0 }

// IsTransaction reports whether the operation applies its whole request or nothing.
func IsTransaction(operation string) bool { return operations[operation]&transacts != 0 }
