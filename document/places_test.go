package document_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/maintain"
)

// folders is a table with the folders of a tenant.
type folders struct {
	client *dynamodb.Client
	repo   *document.Repo[folder]
	used   map[string]bool // the partition keys of all chunks so far
}

func newFolders(t *testing.T, client *dynamodb.Client) *folders {
	t.Helper()
	s := entity.NewSchema(entity.Config{})
	of := document.Define[folder](s)
	entity.Define[file](s)
	entity.Define[sheet](s)
	table, err := s.Open(client, "folders")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return &folders{client, of.In(table.Tenant("a"), document.Config{}), map[string]bool{}}
}

// chunks returns the number of chunks by partition key, and the number of partitions that chunks
// have had whenever it was called.
func (f *folders) chunks(t *testing.T) (stored map[string]int, used int) {
	t.Helper()
	const prefix = "T#a#$U#chunk#"
	stored = map[string]int{}
	pages := dynamodb.NewScanPaginator(f.client, &dynamodb.ScanInput{TableName: aws.String("folders"), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		require.NoError(t, err)
		for _, item := range page.Items {
			if key := item["PK"].(*types.AttributeValueMemberS).Value; strings.HasPrefix(key, prefix) {
				stored[key]++
				f.used[key] = true
			}
		}
	}
	return stored, len(f.used)
}

// The chunks of each save are in the partitions of earlier ones, so saves do not use more and more.
// The chunks of a document that is created again are, too. Each chunk has a partition of its own.
func TestChunksReusePartitions(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, f := t.Context(), newFolders(t, e.Client(t))
		own := sheets(2, "")
		save := func(first, second string) {
			t.Helper()
			own.Sheets[0].Text.Value, own.Sheets[1].Text.Value = first, second
			require.NoError(t, f.repo.Save(ctx, &own))
			stored, used := f.chunks(t)
			require.Len(t, stored, 4)
			for key, n := range stored {
				require.Equal(t, 1, n, key)
			}
			require.Equal(t, 4, used)
		}
		save(strings.Repeat("a", 700_000), strings.Repeat("a", 700_000))
		save(strings.Repeat("b", 700_000), strings.Repeat("a", 700_000))
		save(strings.Repeat("b", 700_000), strings.Repeat("c", 700_000))
		save(strings.Repeat("d", 200_000), strings.Repeat("d", 1_000_000))
		require.NoError(t, f.repo.Delete(ctx, own))
		stored, _ := f.chunks(t)
		require.Empty(t, stored)
		own = sheets(2, "")
		save(strings.Repeat("e", 700_000), strings.Repeat("e", 700_000))
	})
}

// Chunks of two saves that began with the same document are in the same partitions, and do not
// meet: the one that fails deletes only its own.
func TestChunksOfTwoSavesDoNotMeet(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, f := t.Context(), newFolders(t, e.Client(t))
		first := sheets(1, "old")
		require.NoError(t, f.repo.Save(ctx, &first))
		second, err := f.repo.Read(ctx, first)
		require.NoError(t, err)
		first.Sheets[0].Text.Value, second.Sheets[0].Text.Value = strings.Repeat("1", 500_000), strings.Repeat("2", 500_000)
		require.NoError(t, f.repo.Save(ctx, &first))
		require.Error(t, f.repo.Save(ctx, &second))
		got, err := f.repo.Read(ctx, first, document.Strong())
		require.NoError(t, err)
		require.Equal(t, first.Sheets[0].Text.Value, got.Sheets[0].Text.Value)
		stored, used := f.chunks(t)
		require.Len(t, stored, 2)
		require.LessOrEqual(t, used, 2)
	})
}

// Reindex moves the root of a document to another key. Its chunks stay, and are still found.
func TestChunksOfMovedDocuments(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		type (
			top struct {
				_       entity.Key `type:"file" pk:"T#<tenant>#FILE#<id>" sk:"TOP"`
				Tenant  string     `dynamodbav:"tenant" entity:"tenant"`
				ID      string     `dynamodbav:"id"`
				Version int64      `dynamodbav:"version" entity:"version"`
				document.Root
			}
			pile struct {
				document.State
				File   top
				Sheets []sheet
			}
		)
		ctx, client := t.Context(), e.Client(t)
		f := newFolders(t, client)
		own := sheets(1, "first")
		require.NoError(t, f.repo.Save(ctx, &own))

		s := entity.NewSchema(entity.Config{})
		piles, tops := document.Define[pile](s), entity.Define[top](s)
		entity.Define[sheet](s)
		table, err := s.Open(client, "folders")
		require.NoError(t, err)
		report, err := maintain.Reindex(ctx, table, maintain.Run{}, tops)
		require.NoError(t, err)
		require.Equal(t, 1, report.Moved)
		repo := piles.In(table.Tenant("a"), document.Config{})
		got, err := repo.Read(ctx, pile{File: top{ID: "f"}}, document.Strong())
		require.NoError(t, err)
		require.Equal(t, "first", got.Sheets[0].Text.Value)
		got.Sheets[0].Text.Value = "second"
		require.NoError(t, repo.Save(ctx, &got))
		stored, _ := f.chunks(t)
		require.Len(t, stored, 1, "the former chunk is deleted")
		require.NoError(t, repo.Delete(ctx, got))
		stored, _ = f.chunks(t)
		require.Empty(t, stored)
	})
}

// TestChunksReusePartitions_random changes several large values in a random way. The number of
// partitions never exceeds the number of chunks around one save, before and after it, by more than
// a half: gaps can be too small for a value. As a control, the number of chunks that were stored
// does.
func TestChunksReusePartitions_random(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	ctx, f := t.Context(), newFolders(t, ddbtest.Start(t).Client())
	own, count, most, all := sheets(1, "x"), 1, 0, 0
	own.Sheets = own.Sheets[:0]
	for n := range testsize.Pick(40, 60, 400) {
		before := count
		all += change(r, &own, n)
		require.NoError(t, f.repo.Save(ctx, &own))
		stored, used := f.chunks(t)
		count = len(stored)
		for key, n := range stored {
			require.Equal(t, 1, n, key)
		}
		most = max(most, before+count)
		require.LessOrEqual(t, 2*used, 3*most)
	}
	_, used := f.chunks(t)
	t.Logf("%d chunks stored, at most %d around a save, %d partitions", all, most, used)
	require.Greater(t, 2*all, 3*most, "the control passes")
}

// change replaces, adds or removes a sheet. It returns the number of chunks of the new value.
func change(r *rand.Rand, f *folder, n int) (chunks int) {
	const most = 3 // sheets
	i := r.IntN(min(len(f.Sheets)+1, most))
	switch {
	case i == len(f.Sheets):
		f.Sheets = append(f.Sheets, sheet{N: n})
	case r.IntN(5) == 0:
		f.Sheets = append(f.Sheets[:i], f.Sheets[i+1:]...)
		return 0
	}
	chunks = 1 + r.IntN(3)
	f.Sheets[i].Text.Value = strings.Repeat(string(rune('a'+n%26)), chunks*380_000-n)
	return chunks
}
