package entity_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/schema"
)

// sparseThing has an index by each of its fields.
type sparseThing struct {
	_       entity.Key   `type:"thing" pk:"THING#<id>" sk:"THING"`
	_       entity.Index `name:"by-text" on:"IX1" pk:"TEXT#<text>" sk:"<id>"`
	_       entity.Index `name:"by-time" on:"IX2" pk:"TIME" sk:"<time:s>"`
	_       entity.Index `name:"by-number" on:"IX3" pk:"NUMBER" sk:"<number:05>"`
	_       entity.Index `name:"by-created" on:"IX4" pk:"CREATED" sk:"<created:s>"`
	_       entity.Index `name:"by-optional" on:"IX5" pk:"OPTIONAL#<optional>" sk:"<id>"`
	_       entity.Index `name:"by-pointer" on:"IX6" pk:"POINTER#<pointer:05>" sk:"<id>"`
	_       entity.Index `name:"by-native" on:"IX7" sk:"<id>"`
	_       entity.Index `name:"by-id" on:"IX8" pk:"ID" sk:"<id>"`
	_       entity.Index `name:"by-expiry" on:"IX9" pk:"EXPIRY" sk:"<expires:s>"`
	ID      string       `dynamodbav:"id"`
	Text    string       `dynamodbav:"text"`
	Time    time.Time    `dynamodbav:"time"`
	Number  int          `dynamodbav:"number"`
	Created time.Time    `dynamodbav:"created" entity:"created"`
	Option  string       `dynamodbav:"optional,omitempty"`
	Pointer *int         `dynamodbav:"pointer"`
	Native  string       `dynamodbav:"native"`
	Expires time.Time    `dynamodbav:"expires" entity:"ttl"`
}

// The chart says of each index whether an item with the zero values of its fields is on it.
func TestChartSaysWhichItemsAreOnAnIndex(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		var indexes []entity.IndexConfig
		for _, name := range []string{"IX1", "IX2", "IX3", "IX4", "IX5", "IX6", "IX7", "IX8", "IX9"} {
			x := entity.IndexConfig{Name: name}
			if name == "IX7" {
				x.Partition = []entity.Attribute{entity.S("native")}
			}
			indexes = append(indexes, x)
		}
		s := entity.NewSchema(entity.Config{Indexes: indexes})
		things := entity.Define[sparseThing](s)
		table, err := s.Open(client, "things")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		require.NoError(t, things.In(table).Put(ctx, &sparseThing{ID: "1"}))
		said := map[string]string{}
		for line := range strings.Lines(schema.Chart(s)) {
			cells := strings.Split(line, "|")
			if len(cells) > 4 && strings.Contains(cells[1], "query thing") {
				said[strings.TrimSpace(cells[2])] = strings.TrimSpace(cells[len(cells)-2])
			}
		}
		require.Equal(t, map[string]string{
			"IX1": "not with an empty text", "IX2": "not with an empty time", "IX3": "", "IX4": "", "IX5": "only with optional",
			"IX6": "only with pointer", "IX7": "not with an empty native", "IX8": "", "IX9": "not with an empty expires",
		}, said)
		for index, text := range said {
			out, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("things"), IndexName: aws.String(index)})
			require.NoError(t, err)
			require.Equal(t, text == "", out.Count == 1, index)
		}
	})
}
