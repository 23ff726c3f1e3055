package entity_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/maintain"
)

type avMap = map[string]types.AttributeValue

func textOf(av types.AttributeValue) string {
	s, _ := av.(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

// uniqueValues returns the unique values of an item of the club by their guard's partition key, as
// the texts of the guards' names. It shares no code with the library.
func uniqueValues(item avMap) map[string]string {
	values := map[string]string{}
	switch textOf(item["_type"]) {
	case "member":
		if email := textOf(item["email"]); email != "" {
			values[emailGuard+strings.ToLower(email)] = "member email"
		}
		if login := textOf(item["login"]); login != "" {
			values[loginGuard+login] = "member login"
		}
		club, seat := textOf(item["club"]), textOf(item["seat"])
		if row, ok := item["row"].(*types.AttributeValueMemberN); ok && club != "" && seat != "" {
			n, _ := strconv.Atoi(row.Value)
			values[fmt.Sprintf("%s%s#%02d#%s", seatGuard, club, n, seat)] = "member seat"
		}
	case "guest":
		if phone, ok := item["phone"].(*types.AttributeValueMemberN); ok {
			values["$U#unique#guest#phone#"+phone.Value] = "guest phone"
		}
	}
	return values
}

// nameOfGuard returns the type and the unique value of a guard, such as "member email".
func nameOfGuard(partition string) string {
	parts := strings.Split(partition, "#")
	return parts[2] + " " + parts[3]
}

// guardSort returns the sort key of a guard.
func guardSort(partition string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(partition))
	return fmt.Sprintf("$U#%08x", h.Sum32())
}

// scan returns all stored items of the club.
func (c *club) scan(t testing.TB) (items []avMap) {
	t.Helper()
	pages := dynamodb.NewScanPaginator(c.client, &dynamodb.ScanInput{TableName: aws.String("club"), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.WithoutCancel(t.Context()))
		require.NoError(t, err)
		items = append(items, page.Items...)
	}
	return items
}

// expired reports whether an item has expired.
func (c *club) expired(item avMap) bool {
	n, ok := item["expires"].(*types.AttributeValueMemberN)
	seconds, _ := strconv.ParseInt(aws.ToString(numberText(n, ok)), 10, 64)
	return ok && seconds < c.clock.now().Unix()
}

func numberText(n *types.AttributeValueMemberN, ok bool) *string {
	if !ok {
		return nil
	}
	return &n.Value
}

// guardProblem is a problem of a guard as text.
type guardProblem struct {
	kind maintain.Kind
	name string   // such as "member email"
	keys []string // the partition keys of the items, or of a guard without an item
}

// problemTexts returns problems as sorted texts. If several items without a guard have one value,
// any of them may be the first one, so its key is left out.
func problemTexts(list []guardProblem) (texts []string) {
	twice := map[string]bool{}
	for _, p := range list {
		for _, key := range p.keys {
			twice[p.name+key] = twice[p.name+key] || p.kind == maintain.ValueTwice
		}
	}
	for _, p := range list {
		slices.Sort(p.keys)
		if p.kind != maintain.ValueTwice && twice[p.name+p.keys[0]] {
			p.keys = nil
		}
		texts = append(texts, fmt.Sprintf("%s: %s %s", p.name, p.kind, strings.Join(p.keys, " ")))
	}
	slices.Sort(texts)
	return texts
}

// problems compares the stored items with the stored guards. It returns the problems in the form of
// listed.
func (c *club) problems(t testing.TB) []string {
	t.Helper()
	owners, guards, holders := map[string]avMap{}, map[string]avMap{}, map[string][]avMap{}
	for _, item := range c.scan(t) {
		partition := textOf(item["PK"])
		if strings.HasPrefix(partition, "$U") {
			guards[partition+textOf(item["SK"])] = item
			continue
		}
		owners[partition+textOf(item["SK"])] = item
		for value := range uniqueValues(item) {
			if !c.expired(item) {
				holders[value] = append(holders[value], item)
			}
		}
	}
	ownerOf := func(guard avMap) avMap {
		m, _ := guard["_owner"].(*types.AttributeValueMemberM)
		if m == nil || len(m.Value) != 2 {
			return nil
		}
		return owners[textOf(m.Value["PK"])+textOf(m.Value["SK"])]
	}
	var found []guardProblem
	add := func(kind maintain.Kind, name string, keys ...string) {
		found = append(found, guardProblem{kind, name, keys})
	}
	for value, items := range holders {
		guard := guards[value+guardSort(value)]
		owner := ownerOf(guard)
		owns := slices.IndexFunc(items, func(i avMap) bool { return owner != nil && textOf(i["PK"]) == textOf(owner["PK"]) })
		switch {
		case guard == nil:
			add(maintain.GuardMissing, nameOfGuard(value), textOf(items[0]["PK"]))
			owns = 0
		case owns < 0:
			add(maintain.GuardOfOther, nameOfGuard(value), textOf(items[0]["PK"]))
			owns = 0
		case !sameTTL(items[owns], guard):
			add(maintain.GuardExpiry, nameOfGuard(value), textOf(items[owns]["PK"]))
		}
		for i, other := range items {
			if i != owns {
				add(maintain.ValueTwice, nameOfGuard(value), textOf(items[owns]["PK"]), textOf(other["PK"]))
			}
		}
	}
	for _, guard := range guards {
		value := textOf(guard["PK"])
		owner := ownerOf(guard)
		_, has := uniqueValues(owner)[value]
		needed := has || len(holders[value]) > 0
		if rightKey := textOf(guard["SK"]) == guardSort(value); (!rightKey || !needed) && !c.expired(guard) {
			add(maintain.GuardUnowned, nameOfGuard(value), value)
		}
	}
	return problemTexts(found)
}

func sameTTL(item, guard avMap) bool {
	a, _ := item["expires"].(*types.AttributeValueMemberN)
	b, _ := guard["expires"].(*types.AttributeValueMemberN)
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.Value == b.Value
}

// listed returns the problems that an error of CheckGuards or RepairGuards lists, as texts.
func listed(t testing.TB, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var e *maintain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "club", e.Table)
	var found []guardProblem
	for _, p := range e.Problems {
		keys := []string{textOf(p.Item["PK"])}
		switch p.Kind {
		case maintain.ValueTwice:
			keys = append(keys, textOf(p.Other["PK"]))
		case maintain.GuardUnowned:
			keys = []string{textOf(p.Guard["PK"])}
		case maintain.GuardExpiry, maintain.GuardMissing, maintain.GuardOfOther, maintain.Undecodable, maintain.NoKey:
		}
		found = append(found, guardProblem{p.Kind, p.Entity + " " + p.Name, keys})
	}
	return problemTexts(found)
}
