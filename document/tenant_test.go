package document_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
)

type (
	// file is the root of a folder of a tenant.
	file struct {
		_       entity.Key `type:"file" pk:"T#<tenant>#FILE#<id>" sk:"HEAD"`
		Tenant  string     `dynamodbav:"tenant" entity:"tenant"`
		ID      string     `dynamodbav:"id"`
		Version int64      `dynamodbav:"version" entity:"version"`
		document.Root
	}
	sheet struct {
		_      entity.Key             `type:"sheet" pk:"T#<tenant>#FILE#<id>" sk:"SHEET#<n:03>"`
		Tenant string                 `dynamodbav:"tenant" entity:"tenant"`
		ID     string                 `dynamodbav:"id"`
		N      int                    `dynamodbav:"n"`
		Text   document.Large[string] `dynamodbav:"text"`
		document.Part
	}
	folder struct {
		document.State
		File   file
		Sheets []sheet
	}
)

// sheets returns a folder of n sheets.
func sheets(n int, text string) folder {
	f := folder{File: file{ID: "f"}}
	for i := range n {
		f.Sheets = append(f.Sheets, sheet{N: i})
	}
	f.Sheets[0].Text.Value = text
	return f
}

// partitions returns the partition keys of all items.
func partitions(t *testing.T, client *dynamodb.Client, table string) (list []string) {
	t.Helper()
	out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	for _, item := range out.Items {
		list = append(list, item["PK"].(*types.AttributeValueMemberS).Value)
	}
	return list
}

// The chunks, logs and intents of a tenant's documents start with the tenant, and documents of two
// tenants with the same ID do not meet.
func TestDocumentsOfTenants(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		s := entity.NewSchema(entity.Config{})
		folders := document.Define[folder](s)
		entity.Define[file](s)
		entity.Define[sheet](s)
		table, err := s.Open(client, "folders")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		a, b := folders.In(table.Tenant("a"), document.Config{WriteTime: 1}), folders.In(table.Tenant("b"), document.Config{})
		one, two := sheets(120, "of a"), sheets(1, "of b")
		require.NoError(t, a.Save(ctx, &one))
		require.NoError(t, b.Save(ctx, &two))
		require.Equal(t, "a", one.File.Tenant)
		require.Equal(t, "a", one.Sheets[119].Tenant)

		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "TransactWriteItems" {
				return testfaults.Drop
			}
			return testfaults.Pass
		}}
		crashed, err := s.Open(w.Client(client, 1), "folders")
		require.NoError(t, err)
		lost := sheets(120, "lost")
		lost.State = one.State
		require.ErrorIs(t, folders.In(crashed.Tenant("a"), document.Config{}).Save(ctx, &lost), trestle.ErrUnknown)
		keys := partitions(t, client, "folders")
		for _, kind := range []string{"T#a#$U#chunk", "T#a#$U#intent", "T#b#$U#chunk"} {
			require.True(t, slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(key, kind) }), kind)
		}
		for _, key := range keys {
			require.True(t, strings.HasPrefix(key, "T#a#") || strings.HasPrefix(key, "T#b#"), key)
		}

		require.NoError(t, b.Clean(ctx, folder{File: file{ID: "f"}}))
		require.Len(t, partitions(t, client, "folders"), len(keys), "a clean of b leaves the chunks of a")
		require.NoError(t, a.Delete(ctx, folder{File: file{ID: "f"}}))
		_, err = a.Read(ctx, folder{File: file{ID: "f"}})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		for _, key := range partitions(t, client, "folders") {
			require.True(t, strings.HasPrefix(key, "T#b#"), key)
		}
		got, err := b.Read(ctx, folder{File: file{ID: "f"}}, document.Strong())
		require.NoError(t, err)
		require.Equal(t, "of b", got.Sheets[0].Text.Value)
	})
}

// A document with a tenant needs the table of that tenant.
func TestDocumentsOfOtherTenantsAreRefused(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		s := entity.NewSchema(entity.Config{})
		folders := document.Define[folder](s)
		entity.Define[file](s)
		entity.Define[sheet](s)
		table, err := s.Open(client, "folders")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		key := folder{File: file{ID: "f"}}
		named := folder{File: file{Tenant: "a", ID: "f"}}
		f := sheets(1, "text")
		f.File.Tenant = "a"
		for name, c := range map[string]struct {
			in *entity.Table
			is error
		}{
			"no tenant":      {table, trestle.ErrInvalid},
			"another tenant": {table.Tenant("b"), trestle.ErrTenant},
		} {
			repo := folders.In(c.in, document.Config{})
			fresh := f
			require.ErrorIs(t, repo.Save(ctx, &fresh), c.is, name)
			require.ErrorIs(t, repo.Delete(ctx, named), c.is, name)
			require.ErrorIs(t, repo.Clean(ctx, named), c.is, name)
		}
		whole, other := folders.In(table, document.Config{}), folders.In(table.Tenant("b"), document.Config{})
		_, err = whole.Read(ctx, key)
		require.ErrorIs(t, err, trestle.ErrInvalid)
		_, err = whole.Report(&key)
		require.ErrorIs(t, err, trestle.ErrInvalid)
		_, err = other.Read(ctx, named)
		require.ErrorIs(t, err, trestle.ErrTenant)
		_, err = other.Report(&named)
		require.ErrorIs(t, err, trestle.ErrTenant)
		own := folders.In(table.Tenant("a"), document.Config{})
		f.Sheets[0].Tenant = "b"
		require.ErrorIs(t, own.Save(ctx, &f), trestle.ErrTenant)
		require.Empty(t, partitions(t, client, "folders"))
	})
}

// The table of all tenants reads and reports the documents of each, by the tenant in the example.
func TestReadsAcrossTenants(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := entity.NewSchema(entity.Config{})
		folders := document.Define[folder](s)
		entity.Define[file](s)
		entity.Define[sheet](s)
		table, err := s.Open(e.Client(t), "folders")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		whole := folders.In(table, document.Config{})
		for _, tenant := range []string{"a", "b#"} {
			own := sheets(2, "of "+tenant)
			require.NoError(t, folders.In(table.Tenant(tenant), document.Config{}).Save(ctx, &own))
			for _, options := range [][]document.ReadOption{nil, {document.Strong()}, {document.Unverified()}, {document.Parts("Sheets")}} {
				got, err := whole.Read(ctx, folder{File: file{Tenant: tenant, ID: "f"}}, options...)
				require.NoError(t, err)
				require.Equal(t, "of "+tenant, got.Sheets[0].Text.Value)
				require.ErrorIs(t, whole.Save(ctx, &got), trestle.ErrInvalid)
				r, err := whole.Report(&got)
				require.NoError(t, err)
				bound, err := folders.In(table.Tenant(tenant), document.Config{}).Report(&got)
				require.NoError(t, err)
				require.Equal(t, bound, r)
				got.Sheets[1].Text.Value = "changed"
				require.NoError(t, folders.In(table.Tenant(tenant), document.Config{}).Save(ctx, &got), "the handle of the tenant saves it")
			}
		}
		_, err = whole.Read(ctx, folder{File: file{Tenant: "c", ID: "f"}})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		_, err = whole.Read(ctx, folder{File: file{Tenant: "\xff", ID: "f"}})
		require.ErrorIs(t, err, trestle.ErrInvalid)
	})
}
