package service

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/batch"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/page"
	"github.com/trestledb/trestle/ddbtest/internal/partiql"
	"github.com/trestledb/trestle/ddbtest/internal/stream"
	"github.com/trestledb/trestle/ddbtest/internal/table"
	"github.com/trestledb/trestle/ddbtest/internal/transact"
)

// operations lists all operations by the names that requests contain.
var operations = map[string]parser{
	"GetItem":    operation(item.Get, func(in *api.GetItemInput) targets { return itemTarget(in.TableName, in.Key, false) }),
	"PutItem":    operation(item.Put, func(in *api.PutItemInput) targets { return itemTarget(in.TableName, in.Item, true) }),
	"UpdateItem": operation(item.Update, func(in *api.UpdateItemInput) targets { return itemTarget(in.TableName, in.Key, true) }),
	"DeleteItem": operation(item.Delete, func(in *api.DeleteItemInput) targets { return itemTarget(in.TableName, in.Key, true) }),

	"Query": operation(page.Query, func(in *api.QueryInput) targets { return indexTarget(in.TableName, in.IndexName) }),
	"Scan":  operation(page.Scan, func(in *api.ScanInput) targets { return indexTarget(in.TableName, in.IndexName) }),

	"BatchGetItem":       operation(batch.Get, batch.GetTargets),
	"BatchWriteItem":     operation(batch.Write, batch.WriteTargets),
	"TransactGetItems":   operation(transact.Get, transact.GetTargets),
	"TransactWriteItems": operation(transact.Write, transact.WriteTargets),

	"ExecuteStatement":      operation(partiql.Execute, partiql.Targets),
	"BatchExecuteStatement": operation(partiql.Batch, partiql.BatchTargets),
	"ExecuteTransaction":    operation(partiql.Transact, partiql.TransactTargets),

	"CreateTable":        operation(table.Create, func(in *api.CreateTableInput) targets { return tableTarget(in.TableName) }),
	"DescribeTable":      operation(table.Describe, inputTarget),
	"DeleteTable":        operation(table.Delete, inputTarget),
	"UpdateTable":        operation(table.Update, func(in *api.UpdateTableInput) targets { return tableTarget(in.TableName) }),
	"ListTables":         operation(table.List, func(*api.ListTablesInput) targets { return nil }),
	"UpdateTimeToLive":   operation(table.UpdateTimeToLive, func(in *api.UpdateTimeToLiveInput) targets { return tableTarget(in.TableName) }),
	"DescribeTimeToLive": operation(table.DescribeTimeToLive, inputTarget),
	"TagResource":        operation(table.Tag, func(in *api.TagResourceInput) targets { return tableTarget(in.ResourceArn) }),
	"UntagResource":      operation(table.Untag, func(in *api.UntagResourceInput) targets { return tableTarget(in.ResourceArn) }),
	"ListTagsOfResource": operation(table.ListTags, func(in *api.ListTagsOfResourceInput) targets { return tableTarget(in.ResourceArn) }),

	"UpdateContinuousBackups": operation(table.UpdateContinuousBackups, func(in *api.UpdateContinuousBackupsInput) targets {
		return tableTarget(in.TableName)
	}),
	"DescribeContinuousBackups": operation(table.DescribeContinuousBackups, inputTarget),

	"DescribeLimits":    operation(table.DescribeLimits, noTarget),
	"DescribeEndpoints": operation(table.DescribeEndpoints, noTarget),

	"ListStreams":      operation(stream.List, func(in *api.ListStreamsInput) targets { return optionalTableTarget(in.TableName) }),
	"DescribeStream":   operation(stream.Describe, func(in *api.DescribeStreamInput) targets { return streamTarget(in.StreamArn) }),
	"GetShardIterator": operation(stream.GetShardIterator, func(in *api.GetShardIteratorInput) targets { return streamTarget(in.StreamArn) }),
	"GetRecords":       operation(stream.GetRecords, func(in *api.GetRecordsInput) targets { return streamTarget(in.ShardIterator) }),
}
