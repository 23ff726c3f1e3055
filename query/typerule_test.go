package query_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// leaf and twig are in the same partitions.
type (
	leaf struct {
		Tree string `dynamodbav:"tree"`
		ID   string `dynamodbav:"id"`
		Size int    `dynamodbav:"size"`
	}
	twig struct {
		Tree string `dynamodbav:"tree"`
		ID   string `dynamodbav:"id"`
		Size int    `dynamodbav:"size"`
	}
	leafSize struct {
		ID   string `dynamodbav:"id"`
		Size int    `dynamodbav:"size"`
	}
)

// storedItem is an item of another program, and what it is by the rule of types.
type storedItem struct {
	sort, id, typ string // typ: of the type attribute; empty: absent
	of            string // leaf, twig, or empty: no type
}

// typeTables are tables with items of types and of none.
var typeTables = []struct {
	name       string
	config     entity.Config
	leaf, twig entity.Spec // without a type: not defined
	items      []storedItem
	inRange    int  // the items that Count counts as leaves
	untyped    bool // CheckItems lists items of no type
}{
	{
		name: "the keys tell", inRange: 4, untyped: true,
		leaf: entity.Spec{Type: "leaf", Key: entity.KeySpec{PK: "P#<tree>", SK: "L#<id>"}},
		twig: entity.Spec{Type: "twig", Key: entity.KeySpec{PK: "P#<tree>", SK: "T#<id>"}},
		items: []storedItem{
			{"L#a", "a", "leaf", "leaf"}, {"L#b", "b", "", "leaf"}, {"L#e#x", "e", "", ""}, {"L#g", "g", "stranger", ""},
			{"T#c", "c", "twig", "twig"}, {"T#d", "d", "", "twig"}, {"X#f", "f", "", ""}, {"X#h", "h", "stranger", ""},
		},
	},
	{
		name: "no type attribute", inRange: 4, untyped: true, config: entity.Config{TypeAttribute: entity.None},
		leaf: entity.Spec{Key: entity.KeySpec{PK: "P#<tree>", SK: "L#<id>"}},
		twig: entity.Spec{Key: entity.KeySpec{PK: "P#<tree>", SK: "T#<id>"}},
		items: []storedItem{
			{"L#a", "a", "", "leaf"}, {"L#b", "b", "", "leaf"}, {"L#e#x", "e", "", ""}, {"L#g", "g", "stranger", "leaf"},
			{"T#c", "c", "", "twig"}, {"X#f", "f", "", ""},
		},
	},
	{
		name: "raw keys, no type attribute", inRange: 3, config: entity.Config{TypeAttribute: entity.None, Raw: true},
		leaf:  entity.Spec{Key: entity.KeySpec{PK: "P#<tree>", SK: "L#<id>"}},
		items: []storedItem{{"L#a", "a", "", "leaf"}, {"L#b", "b", "", "leaf"}, {"L#c", "c", "", "leaf"}},
	},
	{
		name: "shared", inRange: 1, untyped: true,
		leaf: entity.Spec{Type: "leaf", Key: entity.KeySpec{PK: "P#<tree>", SK: "L#<id>", Shared: true}},
		twig: entity.Spec{Type: "twig", Key: entity.KeySpec{PK: "P#<tree>", SK: "L#<id>", Shared: true}},
		items: []storedItem{
			{"L#a", "a", "leaf", "leaf"}, {"L#b", "b", "", ""}, {"L#c", "c", "twig", "twig"}, {"L#d", "d", "", ""}, {"L#g", "g", "stranger", ""},
		},
	},
	{
		name: "plain keys", inRange: 2, config: entity.Config{Partition: entity.S("tree"), Sort: entity.S("id")},
		leaf:  entity.Spec{Type: "leaf"},
		items: []storedItem{{"", "a", "leaf", "leaf"}, {"", "b", "", "leaf"}, {"", "g", "stranger", ""}},
	},
}

// typeReaders are all reads of leaves, which return the ids.
var typeReaders = map[string]func(ctx context.Context, table *entity.Table, r *entity.Repo[leaf], ids []string) ([]string, error){
	"Get": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], ids []string) (found []string, err error) {
		for _, id := range ids {
			one, err := r.Get(ctx, leaf{Tree: "1", ID: id})
			switch {
			case err == nil:
				found = append(found, one.ID)
			case !errors.Is(err, trestle.ErrNotFound):
				return nil, err
			}
		}
		return found, nil
	},
	"GetMany": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], ids []string) ([]string, error) {
		var examples []leaf
		for _, id := range ids {
			examples = append(examples, leaf{Tree: "1", ID: id})
		}
		list, err := r.GetMany(ctx, examples)
		return leafIDs(list), err
	},
	"query.GetMany": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], ids []string) (found []string, err error) {
		var refs []query.ItemRef
		for _, id := range ids {
			refs = append(refs, query.Ref(r, leaf{Tree: "1", ID: id}))
		}
		list, err := query.GetMany(ctx, refs...)
		for _, one := range list {
			if one != nil {
				found = append(found, one.(leaf).ID)
			}
		}
		return found, err
	},
	"tx.Read": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], ids []string) ([]string, error) {
		list := make([]*leaf, len(ids))
		var reads []tx.Item
		for i, id := range ids {
			reads = append(reads, tx.Get(r, leaf{Tree: "1", ID: id}, &list[i]))
		}
		err := tx.Read(ctx, reads...)
		return leafIDs(list), err
	},
	"Collect": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], _ []string) ([]string, error) {
		list, err := query.Of(r, leaf{Tree: "1"}).Collect(ctx)
		return idsOfLeaves(list), err
	},
	"All": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], _ []string) ([]string, error) {
		list, err := oneOf(query.Of(r, leaf{Tree: "1"}).Desc().All(ctx))
		return idsOfLeaves(list), err
	},
	"Page": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], _ []string) (ids []string, err error) {
		for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
			page, err := query.Of(r, leaf{Tree: "1"}).Limit(1).Page(ctx, cursor)
			if err != nil {
				return nil, err
			}
			ids, cursor = append(ids, idsOfLeaves(page.Items)...), page.Next
		}
		return ids, nil
	},
	"Scan": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], _ []string) ([]string, error) {
		list, err := oneOf(query.Scan(r).All(ctx))
		return idsOfLeaves(list), err
	},
	"index": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], _ []string) ([]string, error) {
		list, err := query.On(r, "by-tree", leaf{Tree: "1"}).Collect(ctx)
		return idsOfLeaves(list), err
	},
	"scan of the index": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], _ []string) ([]string, error) {
		list, err := oneOf(query.Scan(r).On("by-tree").All(ctx))
		return idsOfLeaves(list), err
	},
	"Items": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], _ []string) ([]string, error) {
		items, err := oneOf(query.Items(ctx, query.Of(r, leaf{Tree: "1"}).Collection()))
		return idsOfAny[leaf](items), err
	},
	"ScanTable": func(ctx context.Context, table *entity.Table, _ *entity.Repo[leaf], _ []string) ([]string, error) {
		items, err := oneOf(query.ScanTable(table).All(ctx))
		return idsOfAny[leaf](items), err
	},
	"Load": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf], _ []string) ([]string, error) {
		view, err := loadLeaves(ctx, r)
		return idsOfLeaves(view.Leaves), err
	},
}

// untypedReaders are all reads that return items of no type, which count them.
var untypedReaders = map[string]func(ctx context.Context, table *entity.Table, r *entity.Repo[leaf]) (int, error){
	"Items": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf]) (int, error) {
		items, err := oneOf(query.Items(ctx, query.Of(r, leaf{Tree: "1"}).Collection()))
		return rawIn(items), err
	},
	"Page": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf]) (int, error) {
		page, err := query.Of(r, leaf{Tree: "1"}).Collection().Page(ctx, "")
		return rawIn(page.Items), err
	},
	"ScanTable": func(ctx context.Context, table *entity.Table, _ *entity.Repo[leaf]) (int, error) {
		items, err := oneOf(query.ScanTable(table).All(ctx))
		return rawIn(items), err
	},
	"index": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf]) (int, error) {
		items, err := oneOf(query.Items(ctx, query.On(r, "by-tree", leaf{Tree: "1"}).Collection()))
		return rawIn(items), err
	},
	"Load": func(ctx context.Context, _ *entity.Table, r *entity.Repo[leaf]) (int, error) {
		view, err := loadLeaves(ctx, r)
		return len(view.Rest), err
	},
}

type leafView struct {
	Leaves []leaf
	Rest   []entity.Raw
}

// loadLeaves loads the partition. A view has a field for each registered type.
func loadLeaves(ctx context.Context, r *entity.Repo[leaf]) (leafView, error) {
	var own leafView
	var both struct {
		Leaves []leaf
		Twigs  []twig
		Rest   []entity.Raw
	}
	c := query.Of(r, leaf{Tree: "1"}).Collection()
	err := query.Load(ctx, c, &both)
	if errors.Is(err, trestle.ErrInvalid) { // twigs are not registered
		err := query.Load(ctx, c, &own)
		return own, err
	}
	return leafView{both.Leaves, both.Rest}, err
}

func leafIDs(list []*leaf) (ids []string) {
	for _, one := range list {
		if one != nil {
			ids = append(ids, one.ID)
		}
	}
	return ids
}

func idsOfLeaves(list []leaf) (ids []string) {
	for _, one := range list {
		ids = append(ids, one.ID)
	}
	return ids
}

func idsOfAny[T leaf | twig](items []any) (ids []string) {
	for _, item := range items {
		if one, ok := item.(T); ok {
			ids = append(ids, leaf(one).ID)
		}
	}
	return ids
}

func rawIn(items []any) (n int) {
	for _, item := range items {
		if _, ok := item.(entity.Raw); ok {
			n++
		}
	}
	return n
}

// Every read of a type returns the same items, and every read of all types the same entity.Raw, for
// tables of other programs: with and without a type attribute, with types that only the keys tell
// apart, types that share keys, and items of no type. The control takes an item without a type
// attribute for one of the type that is asked for.
func TestAllReadsAgreeOnTypes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, wrong := e.Client(t), 0
		for i, c := range typeTables {
			c.config.Indexes = []entity.IndexConfig{{Name: "GSI1"}}
			by := entity.IndexSpec{Name: "by-tree", On: "GSI1", PK: "P#<tree>", SK: "<id>", Shared: true}
			s := entity.NewSchema(c.config)
			c.leaf.Indexes, c.twig.Indexes = []entity.IndexSpec{by}, []entity.IndexSpec{by}
			leaves := entity.DefineSpec[leaf](s, c.leaf)
			if c.twig.Key.PK != "" {
				entity.DefineSpec[twig](s, c.twig)
			}
			sizes := entity.Project[leafSize](leaves)
			name := fmt.Sprintf("trees-%d", i)
			table, err := s.Open(client, name, entity.PlainCursors())
			require.NoError(t, err, c.name)
			require.NoError(t, table.Create(t.Context()))
			var want, ids []string
			raw := 0
			for _, item := range c.items {
				texts := map[string]string{"tree": "1", "id": item.id, "GSI1PK": "P#1", "GSI1SK": item.id}
				if item.sort != "" {
					texts["PK"], texts["SK"] = "P#1", item.sort
				}
				if item.typ != "" {
					texts["_type"] = item.typ
				}
				putTexts(t, client, name, texts)
				_, err := leaves.Decode(textItem(texts))
				require.Equal(t, item.of == "leaf" || item.of == "" && item.typ == "", err == nil, "%s: Decode of %v", c.name, item)
				if item.of == "leaf" {
					want = append(want, item.id)
				}
				if item.of == "" {
					raw++
				}
				ids = append(ids, item.id)
			}
			ctx, r := t.Context(), leaves.In(table)
			for reader, read := range typeReaders {
				got, err := read(ctx, table, r, ids)
				require.NoError(t, err, "%s: %s", c.name, reader)
				slices.Sort(got)
				require.Equal(t, want, got, "%s: %s", c.name, reader)
			}
			for reader, read := range untypedReaders {
				got, err := read(ctx, table, r)
				require.NoError(t, err, "%s: %s", c.name, reader)
				require.Equal(t, raw, got, "%s: %s", c.name, reader)
			}
			parts, err := query.As(query.Of(r, leaf{Tree: "1"}), sizes).Collect(ctx)
			require.NoError(t, err)
			require.Len(t, parts, len(want), c.name)
			first, err := query.Of(r, leaf{Tree: "1"}).First(ctx)
			require.NoError(t, err)
			require.Equal(t, want[0], first.ID)
			_, err = query.Of(r, leaf{Tree: "1"}).One(ctx)
			require.Equal(t, len(want) > 1, errors.Is(err, query.ErrSeveral), c.name)

			for of, counted := range map[int]func(context.Context) (int, error){
				len(c.items): query.Of(r, leaf{Tree: "1"}).Collection().Count,
				len(want):    query.On(r, "by-tree", leaf{Tree: "1"}).Count,
			} {
				n, err := counted(ctx)
				require.NoError(t, err)
				require.Equal(t, of, n, c.name)
			}
			n, err := query.Of(r, leaf{Tree: "1"}).Count(ctx)
			require.NoError(t, err)
			require.Equal(t, c.inRange, n, c.name)

			before := differences(t, table)
			for _, item := range c.items {
				if item.of == "" {
					_, err := client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String(name), Key: item.key()})
					require.NoError(t, err)
				}
			}
			require.Equal(t, c.untyped, before > differences(t, table), c.name)
			if !slices.Equal(want, naiveLeaves(c.items)) {
				wrong++
			}
		}
		require.Greater(t, wrong, 1, "the control")
	})
}

// key returns the key of the item in its table.
func (i storedItem) key() attributes {
	if i.sort == "" {
		return textAttributes("tree", "1", "id", i.id)
	}
	return textAttributes("PK", "P#1", "SK", i.sort)
}

func textAttributes(pairs ...string) attributes {
	item := attributes{}
	for i := 0; i < len(pairs); i += 2 {
		item[pairs[i]] = &types.AttributeValueMemberS{Value: pairs[i+1]}
	}
	return item
}

// differences returns the number of differences that CheckItems lists.
func differences(t *testing.T, table *entity.Table) int {
	t.Helper()
	err := testchecks.Items(t.Context(), table, 100)
	var drift *maintain.Error
	if err == nil {
		return 0
	}
	require.ErrorAs(t, err, &drift)
	return len(drift.Problems)
}

// naiveLeaves takes items without a type attribute in the range of leaves for leaves.
func naiveLeaves(items []storedItem) (ids []string) {
	for _, item := range items {
		if !strings.HasPrefix(item.sort, "T") && !strings.HasPrefix(item.sort, "X") && (item.typ == "" || item.typ == "leaf") {
			ids = append(ids, item.id)
		}
	}
	return ids
}
