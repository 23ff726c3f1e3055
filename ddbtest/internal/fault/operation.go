package fault

import (
	"maps"
	"slices"
)

// class is a kind of operation, or a set of kinds: it says where an effect has a meaning.
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
	tagging // of tables, too; their replies have nothing that a client would read
	listing // of all tables: it names none
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

// operations are all that a rule may name.
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

	"CreateTable":               control,
	"DescribeTable":             control,
	"DeleteTable":               control,
	"UpdateTable":               control,
	"UpdateTimeToLive":          control,
	"DescribeTimeToLive":        control,
	"DescribeContinuousBackups": control,
	"TagResource":               tagging,
	"UntagResource":             tagging,
	"ListTagsOfResource":        control,
	"ListTables":                listing,
	"DescribeLimits":            listing,
	"DescribeEndpoints":         listing,

	"GetShardIterator": iterator,
	"GetRecords":       records,
	"DescribeStream":   streams,
	"ListStreams":      streams,
}

// Operations are the names of all operations, in order.
func Operations() []string { return slices.Sorted(maps.Keys(operations)) }

// OfStreams tells whether the operation is one of the streams' own service.
func OfStreams(operation string) bool { return operations[operation]&(iterator|records|streams) != 0 }

// IsPage tells whether the operation reads page by page.
func IsPage(operation string) bool { return operations[operation] == page }

// IsKeyed tells whether the operation names the items that it reads or writes.
func IsKeyed(operation string) bool { return operations[operation]&keyed != 0 }

// IsWrite tells whether the operation writes items.
func IsWrite(operation string) bool { return operations[operation]&writes != 0 }

// IsBatch tells whether the operation may leave a part of its request undone.
func IsBatch(operation string) bool { return operations[operation]&batches != 0 }

// IsTransaction tells whether the operation does all of its request or nothing.
func IsTransaction(operation string) bool { return operations[operation]&transacts != 0 }
