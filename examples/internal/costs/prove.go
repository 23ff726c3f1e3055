package costs

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/entity"
)

// TB is what Prove needs of a test. *testing.T has it.
type TB interface {
	Context() context.Context
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// Program fills a table through a client, and lists the access patterns of its store in the order in which they are to be run. What they write
// holds the text, where it can.
type Program func(client entity.Client, text string) (table string, patterns []Pattern)

// Prove fails the test where a request that a program sends costs over a unit more or less than is said of it, given how many items it passes and
// their average size. The program is run on two databases: on its items as they stand, and on large ones. On these, estimators that know less
// must fail.
func Prove(t TB, client func() *dynamodb.Client, p Program) {
	t.Helper()
	small := proof{TB: t, meter: &meter{Client: client()}, items: "small items"}
	_, patterns := p(small.meter, "")
	small.run(patterns)

	large := proof{TB: t, meter: &meter{Client: client()}, items: "large items"}
	table, patterns := p(large.meter, strings.Repeat("long ", 1000))
	large.must("enlarge", enlarge(t.Context(), large.Client, table))
	found := large.run(patterns)
	found.conclude(t)
}

// proof is one run of a program.
type proof struct {
	TB
	*meter
	items string
}

func (p proof) must(what string, err error) {
	p.Helper()
	if err != nil {
		p.Fatalf("%s, %s: %v", p.items, what, err)
	}
}

// run runs patterns and returns where worse estimators fail at their requests.
func (p proof) run(patterns []Pattern) controls {
	p.Helper()
	found := controls{}
	worst := 0.0
	for _, pattern := range patterns {
		p.heard = nil
		p.must(pattern.name, pattern.run(p.Context()))
		if len(p.heard) != len(pattern.sends) {
			p.Fatalf("%s, %s: %d requests were sent, and %d expected", p.items, pattern.name, len(p.heard), len(pattern.sends))
		}
		for i, sent := range p.heard {
			explained := p.explain(pattern.name, sent, pattern.sends[i])
			units := pattern.sends[i].units(explained)
			if off := distance(units, sent.units); off > 1 {
				p.Errorf("%s, %s: %v units are estimated, and it cost %v\n%v", p.items, pattern.name, units, sent.units, explained)
			} else {
				worst = max(worst, off)
			}
			if pattern.sends[i].lacking == 0 {
				found.add(explained, sent.units)
			}
		}
	}
	p.Logf("%s: estimates are at the most %v units off", p.items, worst)
	return found
}

// explain explains a request, of which exactly that must have been sent.
func (p proof) explain(name string, sent request, e Estimate) []entity.Explanation {
	p.Helper()
	if len(sent.parts) != len(e.parts) {
		p.Fatalf("%s, %s: %d items are asked for, and %d expected", p.items, name, len(sent.parts), len(e.parts))
	}
	explained := make([]entity.Explanation, len(sent.parts))
	for i, part := range sent.parts {
		input, err := e.parts[i].input()
		p.must(name, err)
		if !alike(input, part.input) {
			p.Errorf("%s, %s: what is sent is not what is explained", p.items, name)
		}
		explained[i], err = e.parts[i].explain(part.passed)
		p.must(name, err)
	}
	return explained
}
