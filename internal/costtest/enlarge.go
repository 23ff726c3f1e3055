package costtest

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ballast is the attribute that Enlarge adds. No entity type has it.
const ballast = "_costtest"

// Enlarge adds an attribute of the given number of bytes to every item of a table. Entities ignore
// the attribute. Reads of a few small items all have the same minimum cost. Larger items make
// different requests have different costs. The requests of Enlarge are not recorded.
func (m *Meter) Enlarge(ctx context.Context, table string, bytes int) error {
	pages := dynamodb.NewScanPaginator(m.client, &dynamodb.ScanInput{TableName: &table})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return measureError(err)
		}
		for _, it := range page.Items {
			it[ballast] = &types.AttributeValueMemberS{Value: strings.Repeat("x", bytes)}
			if _, err := m.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: it}); err != nil {
				return measureError(err)
			}
		}
	}
	return nil
}
