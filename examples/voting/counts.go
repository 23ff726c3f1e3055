package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/program"
)

// count is what the shards of a candidate hold.
type count struct {
	candidate string
	shards    []int64
}

func (c count) total() (sum int64) {
	for _, n := range c.shards {
		sum += n
	}
	return sum
}

// counts reads the shards of all candidates. A service does not need them, because Total adds them
// up. The keys of the shards are specified in docs/keyformat.md.
func counts(ctx context.Context, client trestle.Client, table string) ([]count, error) {
	found := make([]count, len(candidates))
	for i, c := range candidates {
		found[i].candidate = c
	}
	const prefix = "$U#count#" + family + "#"
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{
		TableName: &table, ConsistentRead: aws.Bool(true), FilterExpression: aws.String("begins_with(PK, :p)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: prefix}},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			candidate, part, _ := strings.Cut(strings.TrimPrefix(program.Text(item["PK"]), prefix), "#")
			shard, notShard := strconv.Atoi(part) // the total item has no number
			at := slices.Index(candidates, candidate)
			if notShard != nil || at < 0 {
				continue
			}
			n, err := strconv.ParseInt(program.Text(item["n"]), 10, 64)
			if err != nil {
				return nil, err
			}
			found[at].set(shard, n)
		}
	}
	return found, nil
}

// set sets the value of a shard. Shards without a vote have no item.
func (c *count) set(shard int, n int64) {
	for len(c.shards) <= shard {
		c.shards = append(c.shards, 0)
	}
	c.shards[shard] = n
}
