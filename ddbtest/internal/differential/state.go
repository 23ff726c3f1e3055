package differential

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// compareState compares each table's items and each index's entries.
func (r *run) compareState(ctx context.Context) ([]difference, error) {
	for _, t := range r.tables {
		described, err := r.a.settle(ctx, t.name)
		if err != nil {
			return nil, err
		}
		scans := []*dynamodb.ScanInput{{TableName: name(t), ConsistentRead: aws.Bool(true)}}
		for _, x := range described.GlobalSecondaryIndexes {
			scans = append(scans, &dynamodb.ScanInput{TableName: name(t), IndexName: x.IndexName})
		}
		for _, x := range described.LocalSecondaryIndexes {
			scans = append(scans, &dynamodb.ScanInput{TableName: name(t), IndexName: x.IndexName})
		}
		for _, in := range scans {
			a, b := r.a.all(ctx, in), r.b.all(ctx, in)
			differences := append(compare(a, b), r.compareScans(a, b)...)
			for i := range differences {
				differences[i].what = "state of " + t.name + " " + aws.ToString(in.IndexName) + ": " + differences[i].what
			}
			if len(differences) > 0 {
				return differences, nil
			}
		}
	}
	return nil, nil
}
