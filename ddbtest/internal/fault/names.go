package fault

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// unsupported are the operations that the service has beside ours.
var unsupported = []string{
	"BatchExecuteStatement", "CancelBulkOperation", "CreateBackup", "CreateGlobalTable", "DeleteBackup", "DeleteResourcePolicy",
	"DescribeBackup", "DescribeBulkOperation", "DescribeContributorInsights", "DescribeExport", "DescribeGlobalTable",
	"DescribeGlobalTableSettings", "DescribeImport", "DescribeKinesisStreamingDestination", "DescribeTableReplicaAutoScaling",
	"DisableKinesisStreamingDestination", "EnableKinesisStreamingDestination", "ExecuteStatement", "ExecuteTransaction",
	"ExportTableToPointInTime", "GetResourcePolicy", "ImportTable", "ListBackups", "ListBulkOperations", "ListContributorInsights",
	"ListExports", "ListGlobalTables", "ListImports", "PutResourcePolicy", "RestoreTableFromBackup", "RestoreTableToPointInTime",
	"SearchVectors", "StartBulkPutItems", "UpdateContinuousBackups", "UpdateContributorInsights", "UpdateGlobalTable",
	"UpdateGlobalTableSettings", "UpdateKinesisStreamingDestination", "UpdateTableReplicaAutoScaling",
}

// CheckOperation tells what is wrong with the name of an operation, and what may have been meant.
func CheckOperation(name string) error {
	if _, known := operations[name]; known {
		return nil
	}
	if slices.Contains(unsupported, name) {
		return fmt.Errorf("ddbtest does not implement %s: no request gets that far", name)
	}
	return Misnamed("operation", name, Operations())
}

// Misnamed says that a name is none of those, and which of them are like it, or all where these are few.
func Misnamed(kind, name string, names []string) error {
	switch like := nearest(name, names); {
	case len(like) > 0:
		return fmt.Errorf("there is no %s %q: is it %s?", kind, name, quoted(like, " or "))
	case len(names) == 1:
		return fmt.Errorf("there is no %s %q: there is %q", kind, name, names[0])
	case len(names) > 0 && len(names) <= maxListed:
		return fmt.Errorf("there is no %s %q: there are %s", kind, name, quoted(names, ", "))
	default:
		return fmt.Errorf("there is no %s %q", kind, name)
	}
}

func quoted(names []string, between string) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(texts, between)
}

// How many names are suggested for one, and how many there may be to be listed all.
const (
	maxNearest = 3
	maxListed  = 8
)

// nearest are the names that one may stand for that is none of them: those that it begins with or that begin with it, or else the one with the
// fewest letters wrong. A name that is far from all stands for none.
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

// String names the operations of a class.
func (c class) String() string {
	switch c {
	case anywhere:
		return "all operations"
	case telling:
		return "operations whose reply tells something"
	case keyed:
		return "operations that name items"
	case ofTables:
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
