package fault

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mail is a Late with a log of the applied requests.
type mail struct {
	Late
	log []string
}

func (m *mail) hold(name string, h Held) {
	h.Apply = func() { m.log = append(m.log, name) }
	m.Hold(h)
}

func (m *mail) deliver(held []Held) string {
	m.log = nil
	for _, h := range held {
		h.Apply()
	}
	return strings.Join(m.log, " ")
}

// call returns the call of a client without invocation IDs. Method by sets an ID.
func call(content string, items ...string) Call {
	return Call{Operation: "UpdateItem", Content: content, Items: items}
}

func (c Call) by(invocation string) *Call {
	c.Invocation = invocation
	return &c
}

func TestALateDuplicateFollowsItsRetry(t *testing.T) {
	t.Parallel()
	var m mail
	m.hold("late", Held{Call: call("+1", "T/a"), Delivery: AfterRetry})
	require.True(t, m.Any())
	other, retry := call("+2", "T/a"), call("+1", "T/a")
	elsewhere := Call{Operation: "PutItem", Content: "+1"}
	require.Empty(t, m.deliver(m.Served(&other, true)))
	require.Empty(t, m.deliver(m.Served(&elsewhere, true)))
	require.Equal(t, "late", m.deliver(m.Served(&retry, false)), "a retry that was refused is one too")
	require.False(t, m.Any())
	require.Empty(t, m.deliver(m.Served(&retry, true)), "once is enough")
}

func TestALateDuplicateWaitsForAnotherWriter(t *testing.T) {
	t.Parallel()
	var m mail
	m.hold("late", Held{Call: call("+1", "T/a", "T/b"), Delivery: AfterOtherWrite})
	retry, other, elsewhere := call("+1", "T/a", "T/b"), call("+2", "T/b"), call("+2", "T/c")
	require.Empty(t, m.deliver(m.Served(&other, true)), "the retry was not served yet")
	require.Empty(t, m.deliver(m.Served(&retry, true)))
	require.Empty(t, m.deliver(m.Served(&retry, true)), "the same request is not another writer")
	require.Empty(t, m.deliver(m.Served(&elsewhere, true)))
	require.Empty(t, m.deliver(m.Served(&other, false)), "it wrote nothing")
	require.Equal(t, "late", m.deliver(m.Served(&other, true)))
}

// TestWritersThatSayTheSame checks that writers with equal requests are distinguished by their
// invocation IDs.
func TestWritersThatSayTheSame(t *testing.T) {
	t.Parallel()
	var m mail
	add := call("+1", "T/a")
	m.hold("first", Held{Call: *add.by("one"), Delivery: AfterOtherWrite})
	m.hold("second", Held{Call: *add.by("two"), Delivery: AfterOtherWrite})
	m.hold("repeated", Held{Call: *add.by("one"), Delivery: AfterOtherWrite})
	require.Empty(t, m.deliver(m.Served(add.by("two"), true)), "its own retry")
	require.Empty(t, m.deliver(m.Served(add.by("two"), true)))
	require.Equal(t, "second", m.deliver(m.Served(add.by("one"), true)), "for it another writer, for the others the retry")
	require.Equal(t, "first repeated", m.deliver(m.Served(add.by("three"), true)))

	m.hold("first", Held{Call: *add.by("one"), Delivery: AfterOtherWrite})
	m.hold("second", Held{Call: *add.by("two"), Delivery: AfterOtherWrite})
	require.Empty(t, m.deliver(m.Served(add.by("three"), true)), "the first one's caller asks once more")
	require.Equal(t, "first", m.deliver(m.Served(add.by("four"), true)), "another writer, and the second one's caller")
	require.Equal(t, "second", m.deliver(m.Served(&add, true)), "who does not tell his name is somebody else")
	require.Empty(t, m.all)
	require.Empty(t, m.bySender)
	require.Empty(t, m.byContent)
	require.Empty(t, m.byItem)
}

func TestWhatIsDueComesInTheOrderOfItsTime(t *testing.T) {
	t.Parallel()
	var m mail
	now := time.Now()
	m.hold("second", Held{At: now.Add(2 * time.Second)})
	m.hold("first", Held{At: now.Add(time.Second)})
	m.hold("third", Held{At: now.Add(3 * time.Second), Info: 3})
	m.hold("of the same time", Held{At: now.Add(2 * time.Second)})
	m.hold("never by itself", Held{Delivery: AfterRetry, Info: 4})
	require.Empty(t, m.deliver(m.Due(now)))
	require.Equal(t, "first second of the same time", m.deliver(m.Due(now.Add(2*time.Second))))
	require.Equal(t, []any{3, 4}, m.Infos())
	require.Equal(t, "third never by itself", m.deliver(m.All()))
	require.Empty(t, m.deliver(m.Due(now.Add(time.Hour))))
	require.False(t, m.Any())
}

// TestManyKeptCostNoMore checks that the allocations of a request do not depend on the number of
// held requests. The control copies a list of them, and its allocations grow.
func TestManyKeptCostNoMore(t *testing.T) {
	cost := func(kept int) (served, copied float64) {
		var l Late
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
