package document_test

import (
	"math"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/testfaults"
)

// sizes are the KB of the stored items: what one write of each costs.
type sizes struct {
	root, parts, chunks float64
	items               int // of the parts
	read                float64
}

func (u *users) sizes(t *testing.T) (s sizes) {
	t.Helper()
	bytes := 0
	in := &dynamodb.ScanInput{TableName: aws.String("users"), ConsistentRead: aws.Bool(true)}
	for more := true; more; more = len(in.ExclusiveStartKey) > 0 {
		out, err := u.client.Scan(t.Context(), in)
		require.NoError(t, err)
		for _, item := range out.Items {
			size := codec.ItemSize(item)
			kb := math.Ceil(float64(size) / 1024)
			switch pk := item["PK"].(*types.AttributeValueMemberS).Value; {
			case strings.HasPrefix(pk, "$U#chunk"):
				s.chunks += kb
			case strings.HasPrefix(pk, "$U#"):
			case item["SK"].(*types.AttributeValueMemberS).Value == "U#Information":
				s.root, bytes = kb, bytes+size
			default:
				s.parts, bytes, s.items = s.parts+kb, bytes+size, s.items+1
			}
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
	s.read = math.Ceil(float64(bytes) / 4096)
	return s
}

// spent returns the units since the last call.
func (u *users) spent() (read, write float64) {
	_, _, units := u.meter.take()
	return units.Read, units.Write
}

// intentCost is the cost of an intent of less than 1 KB.
const intentCost = 4

// Save and Delete cost what their documentation says.
func TestCosts(t *testing.T) {
	t.Parallel()
	u := newUsers(t, ddbtest.Client(t)) // DynamoDB Local does not charge transactions as DynamoDB does
	ctx := t.Context()
	p := profile{Info: info{ID: "a", Name: text(1500)}}
	for n := range 30 {
		p.Notes = append(p.Notes, note{N: n, Text: text(100 + 150*n)})
	}
	u.spent()
	require.NoError(t, u.profiles.Save(ctx, &p))
	_, write := u.spent()
	first := u.sizes(t)
	require.InDelta(t, 2*(first.root+first.parts), write, 0, "a transaction")

	p.Info.Name = text(1600)
	require.NoError(t, u.profiles.Save(ctx, &p))
	_, write = u.spent()
	require.InDelta(t, first.root, write, 0, "only the root")

	p.Notes[29].Body.Value = noise(900_000, 1)
	require.NoError(t, u.profiles.Save(ctx, &p))
	_, write = u.spent()
	large := u.sizes(t)
	item := 2 * math.Ceil(float64(100+150*29+300)/1024)
	require.InDelta(t, 2*first.root+item+large.chunks+intentCost, write, 0, "a large value")

	p.Notes = p.Notes[:29]
	require.NoError(t, u.profiles.Save(ctx, &p))
	_, write = u.spent()
	require.InDelta(t, 2*first.root+item+large.chunks+intentCost, write, 0, "the item and its chunks are deleted")

	p.Notes[0].Body.Value = noise(500_000, 2)
	require.NoError(t, u.profiles.Save(ctx, &p))
	last := u.sizes(t)
	u.spent()
	require.NoError(t, u.profiles.Delete(ctx, key("a")))
	read, write := u.spent()
	transactions := math.Ceil(float64(last.items) / 24)
	require.InDelta(t, 2*last.parts+last.chunks+2*last.root*transactions+2*last.root, write, 0, "a deletion")
	require.InDelta(t, last.read+2+1, read, 1, "the items, the root twice, intents; two queries round up")
}

// A save by a log costs what its documentation says.
func TestCostsOfALog(t *testing.T) {
	t.Parallel()
	u := newUsers(t, ddbtest.Client(t)) // DynamoDB Local does not charge transactions as DynamoDB does
	var log sizes
	w := &testfaults.Wire{}
	transactions := 0
	w.Decide = func(_ int, operation string) testfaults.Fate {
		if operation == "TransactWriteItems" {
			if transactions++; transactions == 2 {
				log = u.sizes(t)
			}
		}
		return testfaults.Pass
	}
	own := u.process(t, w.Client(u.client, 1))
	p := profile{Info: info{ID: "a", Name: text(1500)}}
	for n := range 150 {
		p.Notes = append(p.Notes, note{N: n, Text: string(letters(noise(800, uint64(n))))})
	}
	u.spent()
	require.NoError(t, own.profiles.Save(t.Context(), &p))
	read, write := u.spent()
	s := u.sizes(t)
	require.Greater(t, log.chunks, 50.0)
	require.Equal(t, 3, transactions, "the root, and two that apply the log")
	require.InDelta(t, 2*s.root+2*s.parts+intentCost+2*log.chunks+2*2*s.root+s.root, write, 0)
	require.InDelta(t, log.chunks/4, read, 1)
}

// letters turns bytes into letters.
func letters(b []byte) []byte {
	for i := range b {
		b[i] = 'A' + b[i]%26
	}
	return b
}

// The report tells what a save of the whole document costs.
func TestReportAgreesWithTheCostOfASave(t *testing.T) {
	t.Parallel()
	u := newUsers(t, ddbtest.Client(t)) // DynamoDB Local does not charge transactions as DynamoDB does
	p := profile{Info: info{ID: "a"}, Notes: []note{{N: 1, Text: text(3000)}, {N: 2}}, Bio: &bio{Title: text(2000)}}
	p.Notes[1].Body = document.Large[[]byte]{Value: noise(700_000, 3)}
	r, err := u.profiles.Report(&p)
	require.NoError(t, err)
	u.spent()
	require.NoError(t, u.profiles.Save(t.Context(), &p))
	_, write := u.spent()
	units := 0
	for _, part := range r.Parts {
		units += part.Write
	}
	chunks := int(u.sizes(t).chunks)
	require.InDelta(t, 2*(units-chunks)+chunks+intentCost, write, 0)

	p.Notes[0].Text = text(2999)
	u.spent()
	require.NoError(t, u.profiles.Save(t.Context(), &p))
	_, write = u.spent()
	require.InDelta(t, r.Parts[2].Update, write, 0)
}
