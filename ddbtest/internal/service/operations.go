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
var operations = map[string]operation{
	"GetItem":    single(item.Get, func(in *api.GetItemInput) target { return itemTarget(in.TableName, in.Key, false) }),
	"PutItem":    single(item.Put, func(in *api.PutItemInput) target { return itemTarget(in.TableName, in.Item, true) }),
	"UpdateItem": single(item.Update, func(in *api.UpdateItemInput) target { return itemTarget(in.TableName, in.Key, true) }),
	"DeleteItem": single(item.Delete, func(in *api.DeleteItemInput) target { return itemTarget(in.TableName, in.Key, true) }),

	"Query": single(page.Query, func(in *api.QueryInput) target { return indexTarget(in.TableName, in.IndexName) }),
	"Scan":  single(page.Scan, func(in *api.ScanInput) target { return indexTarget(in.TableName, in.IndexName) }),

	"BatchGetItem":       several(batch.Get, batch.GetTargets),
	"BatchWriteItem":     several(batch.Write, batch.WriteTargets),
	"TransactGetItems":   several(transact.Get, transact.GetTargets),
	"TransactWriteItems": several(transact.Write, transact.WriteTargets),

	"ExecuteStatement":      several(partiql.Execute, partiql.Targets),
	"BatchExecuteStatement": several(partiql.Batch, partiql.BatchTargets),
	"ExecuteTransaction":    several(partiql.Transact, partiql.TransactTargets),

	"CreateTable":        single(table.Create, func(in *api.CreateTableInput) target { return tableTarget(in.TableName) }),
	"DescribeTable":      single(table.Describe, inputTarget),
	"DeleteTable":        single(table.Delete, inputTarget),
	"UpdateTable":        single(table.Update, func(in *api.UpdateTableInput) target { return tableTarget(in.TableName) }),
	"ListTables":         several(table.List, func(*api.ListTablesInput) targets { return nil }),
	"UpdateTimeToLive":   single(table.UpdateTimeToLive, func(in *api.UpdateTimeToLiveInput) target { return tableTarget(in.TableName) }),
	"DescribeTimeToLive": single(table.DescribeTimeToLive, inputTarget),
	"TagResource":        single(table.Tag, func(in *api.TagResourceInput) target { return tableTarget(in.ResourceArn) }),
	"UntagResource":      single(table.Untag, func(in *api.UntagResourceInput) target { return tableTarget(in.ResourceArn) }),
	"ListTagsOfResource": single(table.ListTags, func(in *api.ListTagsOfResourceInput) target { return tableTarget(in.ResourceArn) }),

	"UpdateContinuousBackups": single(table.UpdateContinuousBackups, func(in *api.UpdateContinuousBackupsInput) target {
		return tableTarget(in.TableName)
	}),
	"DescribeContinuousBackups": single(table.DescribeContinuousBackups, inputTarget),

	"ListBackups":      several(table.ListBackups, func(*api.ListBackupsInput) targets { return nil }),
	"ListExports":      several(table.ListExports, func(*api.ListExportsInput) targets { return nil }),
	"ListImports":      several(table.ListImports, func(*api.ListImportsInput) targets { return nil }),
	"ListGlobalTables": several(table.ListGlobalTables, func(*api.ListGlobalTablesInput) targets { return nil }),
	"DescribeContributorInsights": single(table.DescribeContributorInsights, func(in *api.DescribeContributorInsightsInput) target {
		return indexTarget(in.TableName, in.IndexName)
	}),
	"DescribeKinesisStreamingDestination": single(table.DescribeKinesisStreamingDestination, inputTarget),

	"DescribeLimits":    several(table.DescribeLimits, noTarget),
	"DescribeEndpoints": several(table.DescribeEndpoints, noTarget),

	"ListStreams":      several(stream.List, func(in *api.ListStreamsInput) targets { return optionalTableTarget(in.TableName) }),
	"DescribeStream":   several(stream.Describe, func(in *api.DescribeStreamInput) targets { return streamTarget(in.StreamArn) }),
	"GetShardIterator": several(stream.GetShardIterator, func(in *api.GetShardIteratorInput) targets { return streamTarget(in.StreamArn) }),
	"GetRecords":       several(stream.GetRecords, func(in *api.GetRecordsInput) targets { return streamTarget(in.ShardIterator) }),
}
