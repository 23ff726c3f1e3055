package fault

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mail is a Late with what was taken from it.
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

func call(body string, writes ...string) Call {
	return Call{Operation: "UpdateItem", Body: body, Writes: writes}
}

func TestALateDuplicateFollowsItsRetry(t *testing.T) {
	t.Parallel()
	var m mail
	m.hold("late", Held{Call: call("+1", "T/a"), When: AfterRetry})
	require.True(t, m.Any())
	other, retry := call("+2", "T/a"), call("+1", "T/a")
	elsewhere := Call{Operation: "PutItem", Body: "+1"}
	require.Empty(t, m.deliver(m.Served(&other, true)))
	require.Empty(t, m.deliver(m.Served(&elsewhere, true)))
	require.Equal(t, "late", m.deliver(m.Served(&retry, false)), "a retry that was refused is one too")
	require.False(t, m.Any())
	require.Empty(t, m.deliver(m.Served(&retry, true)), "once is enough")
}

func TestALateDuplicateWaitsForAnotherWriter(t *testing.T) {
	t.Parallel()
	var m mail
	m.hold("late", Held{Call: call("+1", "T/a", "T/b"), When: AfterOtherWriter})
	retry, other, elsewhere := call("+1", "T/a", "T/b"), call("+2", "T/b"), call("+2", "T/c")
	require.Empty(t, m.deliver(m.Served(&other, true)), "the retry was not served yet")
	require.Empty(t, m.deliver(m.Served(&retry, true)))
	require.Empty(t, m.deliver(m.Served(&retry, true)), "the same request is not another writer")
	require.Empty(t, m.deliver(m.Served(&elsewhere, true)))
	require.Empty(t, m.deliver(m.Served(&other, false)), "it wrote nothing")
	require.Equal(t, "late", m.deliver(m.Served(&other, true)))
}

func TestWhatIsDueComesInTheOrderOfItsTime(t *testing.T) {
	t.Parallel()
	var m mail
	now := time.Now()
	m.hold("second", Held{At: now.Add(2 * time.Second)})
	m.hold("first", Held{At: now.Add(time.Second)})
	m.hold("third", Held{At: now.Add(3 * time.Second)})
	m.hold("never by itself", Held{When: AfterRetry})
	require.Empty(t, m.deliver(m.Due(now)))
	require.Equal(t, "first second", m.deliver(m.Due(now.Add(2*time.Second))))
	require.Equal(t, "third never by itself", m.deliver(m.All()))
	require.False(t, m.Any())
}
