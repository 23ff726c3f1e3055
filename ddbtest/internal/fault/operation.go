package fault

import (
	"cmp"
	"maps"
	"slices"
	"strings"
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
	listing // of all tables: it names none
	iterator
	records
	streams

	anywhere  class = streams<<1 - 1
	keyed           = get | write | batchGet | batchWrite | transactGet | transactWrite
	ofTables        = keyed | page | control
	writes          = write | batchWrite | transactWrite
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
	"TagResource":               control,
	"UntagResource":             control,
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

// nearest is the operation whose name looks most like a misspelled one.
func nearest(name string) string {
	return slices.MinFunc(Operations(), func(a, b string) int {
		return cmp.Compare(distance(name, a), distance(name, b))
	})
}

// distance is the number of characters to insert, remove or replace to make one text of the other.
func distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
