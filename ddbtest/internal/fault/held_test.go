package fault

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lateLog is a Late with a log of the applied requests.
type lateLog struct {
	HeldRequests
	log []string
}

func (l *lateLog) hold(name string, h Held) {
	h.Apply = func() { l.log = append(l.log, name) }
	l.Hold(h)
}

func (l *lateLog) deliver(held []Held) string {
	l.log = nil
	for _, h := range held {
		h.Apply()
	}
	return strings.Join(l.log, " ")
}

// call returns the call of a client without invocation IDs. Method by sets an ID.
func call(content string, items ...string) Call {
	return Call{Operation: "UpdateItem", Content: content, Items: items}
}

func (c Call) by(invocation string) *Call {
	c.InvocationID = invocation
	return &c
}

func TestAfterRetry(t *testing.T) {
	t.Parallel()
	var l lateLog
	l.hold("late", Held{Call: call("+1", "T/a"), Delivery: AfterRetry})
	require.True(t, l.Any())
	other, retry := call("+2", "T/a"), call("+1", "T/a")
	unrelated := Call{Operation: "PutItem", Content: "+1"}
	require.Empty(t, l.deliver(l.Served(&other, true)))
	require.Empty(t, l.deliver(l.Served(&unrelated, true)))
	require.Equal(t, "late", l.deliver(l.Served(&retry, false)), "a retry counts even if it fails")
	require.False(t, l.Any())
	require.Empty(t, l.deliver(l.Served(&retry, true)), "it is removed")
}

func TestAfterOtherWrite(t *testing.T) {
	t.Parallel()
	var l lateLog
	l.hold("late", Held{Call: call("+1", "T/a", "T/b"), Delivery: AfterOtherWrite})
	retry, other, unrelated := call("+1", "T/a", "T/b"), call("+2", "T/b"), call("+2", "T/c")
	require.Empty(t, l.deliver(l.Served(&other, true)), "the retry was not served yet")
	require.Empty(t, l.deliver(l.Served(&retry, true)))
	require.Empty(t, l.deliver(l.Served(&retry, true)), "the same request is not another writer")
	require.Empty(t, l.deliver(l.Served(&unrelated, true)))
	require.Empty(t, l.deliver(l.Served(&other, false)), "it wrote nothing")
	require.Equal(t, "late", l.deliver(l.Served(&other, true)))
}

// TestEqualRequestsOfDifferentCalls checks that writers with equal requests are distinguished by
// their invocation IDs.
func TestEqualRequestsOfDifferentCalls(t *testing.T) {
	t.Parallel()
	var l lateLog
	add := call("+1", "T/a")
	l.hold("first", Held{Call: *add.by("one"), Delivery: AfterOtherWrite})
	l.hold("second", Held{Call: *add.by("two"), Delivery: AfterOtherWrite})
	l.hold("repeated", Held{Call: *add.by("one"), Delivery: AfterOtherWrite})
	require.Empty(t, l.deliver(l.Served(add.by("two"), true)), "its own retry")
	require.Empty(t, l.deliver(l.Served(add.by("two"), true)))
	require.Equal(t, "second", l.deliver(l.Served(add.by("one"), true)), "another writer than the second call, but a retry of the others")
	require.Equal(t, "first repeated", l.deliver(l.Served(add.by("three"), true)))

	l.hold("first", Held{Call: *add.by("one"), Delivery: AfterOtherWrite})
	l.hold("second", Held{Call: *add.by("two"), Delivery: AfterOtherWrite})
	require.Empty(t, l.deliver(l.Served(add.by("three"), true)), "the third call is the retry of the first")
	require.Equal(t, "first", l.deliver(l.Served(add.by("four"), true)), "another writer than the first call, and the retry of the second")
	require.Equal(t, "second", l.deliver(l.Served(&add, true)), "a call without an ID is another writer")
	require.Empty(t, l.all)
	require.Empty(t, l.bySender)
	require.Empty(t, l.byContent)
	require.Empty(t, l.byItem)
}

func TestDueOrder(t *testing.T) {
	t.Parallel()
	var l lateLog
	now := time.Now()
	l.hold("second", Held{At: now.Add(2 * time.Second)})
	l.hold("first", Held{At: now.Add(time.Second)})
	l.hold("third", Held{At: now.Add(3 * time.Second), Info: 3})
	l.hold("of the same time", Held{At: now.Add(2 * time.Second)})
	l.hold("never by itself", Held{Delivery: AfterRetry, Info: 4})
	require.Empty(t, l.deliver(l.Due(now)))
	require.Equal(t, "first second of the same time", l.deliver(l.Due(now.Add(2*time.Second))))
	require.Equal(t, []any{3, 4}, l.Infos())
	require.Equal(t, "third never by itself", l.deliver(l.All()))
	require.Empty(t, l.deliver(l.Due(now.Add(time.Hour))))
	require.False(t, l.Any())
}

// TestHeldRequestsDoNotSlowOthers checks that the allocations of a request do not depend on the
// number of held requests. The control copies a list of them, and its allocations grow.
func TestHeldRequestsDoNotSlowOthers(t *testing.T) {
	cost := func(kept int) (served, copied float64) {
		var l HeldRequests
		for i := range kept {
			l.Hold(Held{Call: *call("+1", "T/a").by(strconv.Itoa(i)), Delivery: AfterOtherWrite})
			l.Hold(Held{At: time.Unix(int64(i), 0)})
		}
		other := call("+2", "T/b").by("other")
		served = testing.AllocsPerRun(10, func() {
			l.Served(other, true)
			l.Due(time.Unix(0, -1))
		})
		return served, testing.AllocsPerRun(10, func() { l.Infos() })
	}
	few, fewCopied := cost(10)
	many, manyCopied := cost(10_000)
	require.InDelta(t, few, many, 0)
	require.Greater(t, manyCopied, fewCopied)
}
