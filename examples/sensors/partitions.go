package main

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/program"
)

// partition is a partition key and the number of its items.
type partition struct {
	key   string
	items int
}

// partitions counts the items of each partition. It runs a Scan with the SDK alone.
func partitions(ctx context.Context, client trestle.Client) ([]partition, error) {
	sizes := map[string]int{}
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: aws.String(tableName)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			sizes[program.Text(item["PK"])]++
		}
	}
	list := make([]partition, 0, len(sizes))
	for _, key := range slices.Sorted(maps.Keys(sizes)) {
		list = append(list, partition{key, sizes[key]})
	}
	return list, nil
}
