package fault

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// unsupported lists the operations of the service that ddbtest does not implement.
var unsupported = []string{
	"CancelBulkOperation", "CreateBackup", "CreateGlobalTable", "DeleteBackup", "DeleteResourcePolicy",
	"DescribeBackup", "DescribeBulkOperation",
	"DescribeExport", "DescribeGlobalTable", "DescribeGlobalTableSettings", "DescribeImport",
	"DescribeTableReplicaAutoScaling",
	"DisableKinesisStreamingDestination", "EnableKinesisStreamingDestination",
	"ExportTableToPointInTime", "GetResourcePolicy", "ImportTable", "ListBulkOperations", "ListContributorInsights",
	"PutResourcePolicy", "RestoreTableFromBackup", "RestoreTableToPointInTime",
	"SearchVectors", "StartBulkPutItems", "UpdateContributorInsights", "UpdateGlobalTable",
	"UpdateGlobalTableSettings", "UpdateKinesisStreamingDestination", "UpdateTableReplicaAutoScaling",
}

// CheckOperation returns an error for an unknown operation, with similar names.
func CheckOperation(name string) error {
	if _, known := operations[name]; known {
		return nil
	}
	if slices.Contains(unsupported, name) {
		return fmt.Errorf("ddbtest does not implement %s", name)
	}
	return UnknownName("operation", name, Operations())
}

// UnknownName returns an error for a name that is not in names. It lists similar names, or all
// names if there are few.
func UnknownName(kind, name string, names []string) error {
	switch like := nearest(name, names); {
	case len(like) > 0:
		return fmt.Errorf("unknown %s %q: did you mean %s?", kind, name, quoted(like, " or "))
	case len(names) == 1:
		return fmt.Errorf("unknown %s %q: the only one is %q", kind, name, names[0])
	case len(names) > 0 && len(names) <= maxListed:
		return fmt.Errorf("unknown %s %q: there are %s", kind, name, quoted(names, ", "))
	default:
		return fmt.Errorf("unknown %s %q", kind, name)
	}
}

func quoted(names []string, between string) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(texts, between)
}

// The most names that are suggested, and the most that are all listed.
const (
	maxNearest = 3
	maxListed  = 8
)

// nearest returns the names that name may be a misspelling of: those of which it is a prefix or
// that are a prefix of it, or else the one with the smallest edit distance. It returns nil if all
// names are too different or too many share a prefix.
func nearest(name string, names []string) []string {
	lower := strings.ToLower(name)
	if lower == "" {
		return nil
	}
	var like []string
	for _, n := range names {
		if known := strings.ToLower(n); strings.HasPrefix(known, lower) || strings.HasPrefix(lower, known) {
			like = append(like, n)
		}
	}
	switch {
	case len(like) > maxNearest:
		return nil
	case len(like) > 0:
		return like
	case len(names) == 0:
		return nil
	}
	best := slices.MinFunc(names, func(a, b string) int { return cmp.Compare(distance(name, a), distance(name, b)) })
	if distance(name, best) > max(1, len(name)/4) {
		return nil
	}
	return []string{best}
}

// distance returns the edit distance of two texts, ignoring case. It counts insertions, deletions
// and replacements.
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

// String lists the operations of a class.
func (c operationSet) String() string {
	switch c {
	case allOperations:
		return "all operations"
	case withReplyBody:
		return "operations with a reply body"
	case onItems:
		return "operations that name items"
	case onTable:
		return "operations that name a table"
	}
	var names []string
	for _, name := range Operations() {
		if operations[name]&c != 0 {
			names = append(names, name)
		}
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}
