package explored_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/internal/testsize"
)

// conditions collects the conditions of the requests of a client, or drops one of them.
type conditions struct {
	mu      sync.Mutex
	found   map[string]bool
	dropped string

	of, part string // drops only this part of the conditions of an action; "": none
}

// option makes a client collect or drop conditions.
func (c *conditions) option(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("guards", func(
			ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
		) (middleware.InitializeOutput, middleware.Metadata, error) {
			in.Parameters = c.request(in.Parameters)
			return next.HandleInitialize(ctx, in)
		}), middleware.Before)
	})
}

// request returns a copy of a request without the dropped condition.
func (c *conditions) request(in any) any {
	switch in := in.(type) {
	case *dynamodb.PutItemInput:
		x := *in
		c.condition("put"+ofType(x.Item), &x.ConditionExpression, x.ExpressionAttributeNames, x.ExpressionAttributeValues)
		return &x
	case *dynamodb.UpdateItemInput:
		x := *in
		c.condition("update"+ofStep(x.UpdateExpression, x.ExpressionAttributeNames), &x.ConditionExpression, x.ExpressionAttributeNames, x.ExpressionAttributeValues)
		return &x
	case *dynamodb.DeleteItemInput:
		x := *in
		c.condition("delete", &x.ConditionExpression, x.ExpressionAttributeNames, x.ExpressionAttributeValues)
		return &x
	case *dynamodb.TransactWriteItemsInput:
		x := *in
		x.TransactItems = slices.Clone(x.TransactItems)
		for i := range x.TransactItems {
			c.action(&x.TransactItems[i])
		}
		return &x
	default:
		return in
	}
}

func (c *conditions) action(a *types.TransactWriteItem) {
	switch {
	case a.Put != nil:
		x := *a.Put
		c.condition("transaction: put"+ofType(x.Item), &x.ConditionExpression, x.ExpressionAttributeNames, x.ExpressionAttributeValues)
		a.Put = &x
	case a.Update != nil:
		x := *a.Update
		c.condition("transaction: update"+ofStep(x.UpdateExpression, x.ExpressionAttributeNames), &x.ConditionExpression, x.ExpressionAttributeNames, x.ExpressionAttributeValues)
		a.Update = &x
	case a.Delete != nil:
		x := *a.Delete
		c.condition("transaction: delete", &x.ConditionExpression, x.ExpressionAttributeNames, x.ExpressionAttributeValues)
		a.Delete = &x
	case a.ConditionCheck != nil:
		x := *a.ConditionCheck
		c.condition("transaction: check", &x.ConditionExpression, x.ExpressionAttributeNames, x.ExpressionAttributeValues)
		a.ConditionCheck = &x
	}
}

// ofType tells the puts of the library's own items apart.
func ofType(item map[string]types.AttributeValue) string {
	if name := typeName(item); strings.HasPrefix(name, "$U#") {
		return " of " + name
	}
	return ""
}

// steps are attributes that tell the steps of counters apart, which have equal conditions: the
// first one that an update has.
var steps = []string{"base", "writers", "shards", "max", "closed", "moves"}

// ofStep names the step of an update of a counter.
func ofStep(update *string, names map[string]string) string {
	for _, step := range steps {
		for placeholder, name := range names {
			if name == step && strings.Contains(*update, placeholder) {
				return " of " + step
			}
		}
	}
	return ""
}

var (
	// orNone is a condition that a missing attribute fulfills too: it counts as 0.
	orNone = regexp.MustCompile(`\(attribute_not_exists\((\w+)\) OR (\w+ = \?)\)`)

	namePlaceholder  = regexp.MustCompile(`#\w+`)
	valuePlaceholder = regexp.MustCompile(`:\w+`)
)

// exists is the part of a condition that the item exists. A mutant keeps it if there are other
// parts.
const exists = "attribute_exists(PK)"

// condition collects a condition, or replaces it by one that always holds, or that only requires
// that the item exists. It uses the same placeholders. It keeps the parts that an attribute is not
// NULL, which only items of other programs need.
func (c *conditions) condition(
	action string, expression **string, names map[string]string, values map[string]types.AttributeValue,
) {
	if *expression == nil {
		return
	}
	var parts, kept []string
	for _, part := range conjuncts(**expression) {
		_, value, unequal := strings.Cut(part, " <> ")
		if _, null := values[value].(*types.AttributeValueMemberNULL); unequal && null {
			kept = append(kept, part)
		} else {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return
	}
	named := func(text string) string {
		return namePlaceholder.ReplaceAllStringFunc(text, func(p string) string { return names[p] })
	}
	text := strings.Join(parts, " AND ")
	guard := action + " if " + orNone.ReplaceAllString(valuePlaceholder.ReplaceAllString(named(text), "?"), "$2")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found != nil {
		c.found[guard] = true
	}
	if partly := c.part != "" && action == c.of; guard != c.dropped && !partly {
		return
	}
	for i, part := range parts {
		drops := named(part) != exists || len(parts) == 1
		if c.part != "" {
			drops = strings.Contains(named(part), c.part)
		}
		if drops {
			parts[i] = "(" + part + " OR attribute_exists(PK) OR attribute_not_exists(PK))"
		}
	}
	changed := strings.Join(append(parts, kept...), " AND ")
	*expression = &changed
}

// conjuncts returns the parts of a condition that AND connects. The AND of BETWEEN is none.
func conjuncts(text string) []string {
	var parts []string
	depth, begin, between := 0, 0, false
	for i := range len(text) {
		switch {
		case text[i] == '(':
			depth++
		case text[i] == ')':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], " BETWEEN "):
			between = true
		case depth == 0 && strings.HasPrefix(text[i:], " AND ") && between:
			between = false
		case depth == 0 && strings.HasPrefix(text[i:], " AND "):
			parts = append(parts, text[begin:i])
			begin = i + len(" AND ")
		}
	}
	return append(parts, text[begin:])
}

// senders returns the protocols that send a condition in any order, by condition, the smallest
// first.
func senders(t *testing.T) map[string][]protocol {
	t.Helper()
	runs, with := map[string]int{}, map[string][]protocol{}
	for _, p := range protocols {
		if p.weight == vast {
			continue // smaller protocols send its conditions
		}
		g := &conditions{found: map[string]bool{}}
		runs[p.name] = p.search(t, explore.Options{Faults: explore.Faults{}}, g.option).Runs
		for guard := range g.found {
			with[guard] = append(with[guard], p)
		}
	}
	for _, list := range with {
		slices.SortStableFunc(list, func(a, b protocol) int { return runs[a.name] - runs[b.name] })
	}
	return with
}

// TestMutants drops each condition that the protocols send, and checks that a search of one of
// these protocols finds what the condition is for. The golden file has the condition, the protocol,
// the faults and what was found.
func TestMutants(t *testing.T) {
	t.Parallel()
	if testsize.Race {
		t.Skip("the search itself has no concurrency, and is slow under the race detector")
	}
	with := senders(t)
	list := slices.Sorted(maps.Keys(with))
	lines := make([]string, len(list))
	t.Cleanup(func() {
		if !t.Failed() {
			golden(t, "mutants.txt", strings.Join(lines, ""))
		}
	})
	for i, guard := range list {
		t.Run(guard, func(t *testing.T) {
			t.Parallel()
			lines[i] = guard + "\n    " + mutant(t, guard, with[guard]) + "\n"
		})
	}
}

// mutant drops a condition and returns how that was found.
func mutant(t *testing.T, guard string, in []protocol) string {
	t.Helper()
	for _, faults := range []explore.Faults{{}, {explore.Unprocessed: 1}, {explore.LateRequest: 1}} {
		for _, p := range in {
			if faults[explore.Unprocessed] > 0 && p.extra != explore.Unprocessed {
				continue
			}
			g := &conditions{dropped: guard}
			r := p.search(t, explore.Options{Faults: faults, MaxShorten: 1}, g.option)
			if r.Failure != nil {
				what, _, _ := strings.Cut(r.Failure.What, "\n")
				return fmt.Sprintf("%s, faults %s: %s", p.name, faults, what)
			}
		}
	}
	t.Error("no search needs this condition")
	return ""
}
