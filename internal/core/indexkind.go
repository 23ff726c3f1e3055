package core

// IndexKind is the kind of a secondary index.
type IndexKind uint8

// The kinds of secondary indexes.
const (
	GlobalIndex         IndexKind = iota // one attribute on each side of the key
	LocalIndex                           // has the table's partition key; created with the table
	MultiAttributeIndex                  // a global index with several attributes on a side of the key
)

// indexKinds holds what distinguishes the kinds of indexes.
var indexKinds = [...]struct {
	label       string // empty if the key attributes show the kind
	strongReads bool
}{
	GlobalIndex:         {},
	LocalIndex:          {label: "local", strongReads: true},
	MultiAttributeIndex: {},
}

// Known reports whether there is such a kind.
func (k IndexKind) Known() bool { return int(k) < len(indexKinds) }

// Label returns the word for the kind in charts and descriptions. It is empty for the kinds that
// the key attributes show.
func (k IndexKind) Label() string { return indexKinds[k].label }

// StrongReads reports whether strongly consistent reads of the index are possible.
func (k IndexKind) StrongReads() bool { return indexKinds[k].strongReads }
