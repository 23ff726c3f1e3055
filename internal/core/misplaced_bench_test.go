package core_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/testschema"
)

// BenchmarkComparedKeys measures a page of 1,000 items: decoding alone, with the comparison of the
// stored keys, and also with the check of the time to live.
func BenchmarkComparedKeys(b *testing.B) {
	s, err := testschema.Source{}.Schema(strings.ReplaceAll(comparedSchema, "'", "`"))
	require.NoError(b, err)
	p, err := testschema.Plan(s, "employee")
	require.NoError(b, err)
	body := []byte("[")
	for i := range 1000 {
		item, err := testschema.Item(fmt.Sprintf(`{"PK": "COM#c1", "SK": "EMP#e%[1]d", "company": "c1", "id": "e%[1]d", "name": "Employee %[1]d", "team": "t7", "expires": 1800000000, "_type": "employee"}`, i))
		require.NoError(b, err)
		body, err = itemjson.Append(body, item)
		require.NoError(b, err)
		body = append(body, ',')
	}
	body[len(body)-1] = ']'
	var items itemjson.Items
	_, err = items.Scan(body, 0)
	require.NoError(b, err)
	page := core.JSONRows(items)
	require.Equal(b, 1000, page.Len())
	for _, does := range []struct {
		name             string
		compares, checks bool
	}{
		{"decodes", false, false}, {"compares keys", true, false}, {"compares keys and checks TTL", true, true},
	} {
		b.Run(does.name, func(b *testing.B) {
			var c core.KeyComparison
			now := core.ExpiryAt(time.Unix(1_700_000_000, 0))
			b.ReportAllocs()
			for b.Loop() {
				for i := range page.Len() {
					row := page.At(i)
					at := p.NewEntity()
					if err := row.Decode(p, at); err != nil {
						b.Fatal(err)
					}
					if does.compares && c.Misplaced(p, row, at) {
						b.Fatal("an item is misplaced")
					}
					if does.checks && now.IgnoresIn(p, row) {
						b.Fatal("a time to live is ignored")
					}
				}
			}
		})
	}
}

const comparedSchema = `index GSI1
type Employee struct {
	_       entity.Key   'type:"employee" pk:"COM#<company>" sk:"EMP#<id>"'
	_       entity.Index 'name:"by-team" on:"GSI1" pk:"TEAM#<team>" sk:"<name>#<id>"'
	Company string       'dynamodbav:"company"'
	ID      string       'dynamodbav:"id"'
	Name    string       'dynamodbav:"name"'
	Team    string       'dynamodbav:"team"'
	Expires int64        'dynamodbav:"expires" entity:"ttl"'
}`
