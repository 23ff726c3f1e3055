package peerbench

import "slices"

// rows are the rows of the table.
var rows = slices.Concat(readRows, []row{putRow}, codecRows, []row{scanRow, burstRow, prefetchRow, retryRow, largePagesRow, keysRow, defineRow})
