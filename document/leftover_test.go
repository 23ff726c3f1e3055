package document_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testsize"
)

// leftovers are the items that no document needs.
type leftovers struct {
	Chunks   int // that no item refers to
	Intents  int
	Headless int // parts without a root
	Deleting int // roots that are being deleted
}

// leftovers counts the items that no document needs.
func (u *users) leftovers(t testing.TB) (l leftovers) {
	t.Helper()
	chunks, parts := map[string]int{}, 0
	referred := map[string]bool{}
	roots := 0
	in := &dynamodb.ScanInput{TableName: aws.String("users"), ConsistentRead: aws.Bool(true)}
	for more := true; more; more = len(in.ExclusiveStartKey) > 0 {
		out, err := u.client.Scan(t.Context(), in)
		require.NoError(t, err)
		for _, item := range out.Items {
			pk, sk := item["PK"].(*types.AttributeValueMemberS).Value, item["SK"].(*types.AttributeValueMemberS).Value
			switch {
			case strings.HasPrefix(pk, "$U#chunk"):
				chunks[strings.Split(sk, "#")[1]]++
				continue
			case strings.HasPrefix(pk, "$U#intent"):
				l.Intents++
				continue
			case strings.HasPrefix(pk, "$U#"):
				continue
			case sk == "U#Information":
				roots++
				if item["doc_deleting"] != nil {
					l.Deleting++
				}
			default:
				parts++
			}
			for _, value := range item {
				if m, ok := value.(*types.AttributeValueMemberM); ok && m.Value["sum"] != nil {
					referred[m.Value["id"].(*types.AttributeValueMemberS).Value] = true
				}
			}
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
	for id, n := range chunks {
		if !referred[id] {
			l.Chunks += n
		}
	}
	if roots == 0 {
		l.Headless = parts
	}
	return l
}

// clean returns an error if there are items that no document needs.
func (l leftovers) clean() error {
	if l == (leftovers{}) {
		return nil
	}
	return fmt.Errorf("%w: %+v", errLeft, l)
}

var errLeft = errors.New("items are left")

// beside is a save, or a deletion, during which another program does something.
type beside struct {
	name   string
	exists bool
	do     func(ctx context.Context, own *users) error
	fails  []error // the definite errors that it may have
}

// largely returns a new profile with a large value.
func largely(id string, n int) *profile { return withText(small(id), n) }

func rewritten(ctx context.Context, own *users, change func(p *profile)) error {
	p, err := own.profiles.Read(ctx, key("a"), document.Strong())
	if err == nil {
		change(&p)
		err = own.profiles.Save(ctx, &p)
	}
	return err
}

var besides = []beside{
	{"save", true, func(ctx context.Context, own *users) error {
		return rewritten(ctx, own, func(p *profile) { p.Info.Name, p.Bio.Text.Value, p.Notes = "Leto", text(2000), p.Notes[1:] })
	}, []error{trestle.ErrStale, trestle.ErrNotFound}},
	{"save by a log", true, func(ctx context.Context, own *users) error {
		own.profiles = own.document.In(own.table, document.Config{WriteTime: writeTime, Concurrency: 1, MaxActions: 3})
		return rewritten(ctx, own, func(p *profile) { p.Info.Name, p.Bio.Text.Value, p.Notes = "Leto", text(2000), p.Notes[1:] })
	}, []error{trestle.ErrStale, trestle.ErrNotFound}},
	{"create", false, func(ctx context.Context, own *users) error {
		return own.profiles.Save(ctx, largely("a", 3000))
	}, []error{trestle.ErrExists}},
	{"create again", true, func(ctx context.Context, own *users) error {
		return own.profiles.Save(ctx, largely("a", 3000))
	}, []error{trestle.ErrExists}},
	{"delete", true, func(ctx context.Context, own *users) error {
		return own.profiles.Delete(ctx, key("a"))
	}, []error{trestle.ErrStale, trestle.ErrNotFound}},
}

// intruder is what another program does.
type intruder struct {
	name string
	slow bool // the time of the save passes before
	do   func(ctx context.Context, u *users) error
}

var intruders = []intruder{
	{"deletes", false, remove},
	{"cleans up", false, func(ctx context.Context, u *users) error { return u.profiles.Clean(ctx, key("a")) }},
	{"saves", false, func(ctx context.Context, u *users) error {
		return rewritten(ctx, u, func(p *profile) { p.Info.Name, p.Bio.Text.Value = "other", text(4000) })
	}},
	{"deletes and creates", false, func(ctx context.Context, u *users) error {
		return errors.Join(remove(ctx, u), u.profiles.Save(ctx, largely("a", 5000)))
	}},
	{"cleans up later", true, func(ctx context.Context, u *users) error { return u.profiles.Clean(ctx, key("a")) }},
	{"deletes later", true, remove},
}

func remove(ctx context.Context, u *users) error { return u.profiles.Delete(ctx, key("a")) }

// run lets another program do something before request k, and the program crash at request
// crash; 0: never. It returns the number of requests of the program, and its error.
func (b *beside) run(t *testing.T, u *users, i intruder, k, crash int, f testfaults.Fate) (sent int, failed error) {
	t.Helper()
	u.wipe(t)
	if b.exists {
		require.NoError(t, u.profiles.Save(t.Context(), largely("a", 1000)))
	}
	w := &testfaults.Wire{}
	own := u.process(t, w.Client(u.client, 1))
	fate := testfaults.CrashAt(crash, f)
	w.Decide = func(n int, operation string) testfaults.Fate {
		if n == k {
			if i.slow {
				u.clock.advance(2 * writeTime)
			}
			err := i.do(t.Context(), u)
			for _, refused := range []error{trestle.ErrNotFound, trestle.ErrExists, trestle.ErrStale} {
				if errors.Is(err, refused) {
					err = nil
				}
			}
			require.NoError(t, err, "%s while another program %s before request %d", b.name, i.name, k)
		}
		if crash == 0 {
			return testfaults.Pass
		}
		return fate(n, operation)
	}
	failed = b.do(t.Context(), own)
	return w.Sent(), failed
}

// Another program deletes, saves or cleans up a document at any moment of a save or of a deletion.
// Then the outcome of the save is known, and nothing is left, although nobody cleans up later.
func TestNothingIsLeftBesideAnotherProgram(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		u := newUsers(t, e.Client(t))
		stride, n := 1, 0
		if e.Name == engines.DynamoDBLocal {
			stride = testsize.Pick(4, 4, 1)
		}
		for _, b := range besides {
			for _, i := range intruders {
				n++
				for k := 1 + n%stride; ; k += stride {
					sent, failed := b.run(t, u, i, k, 0, testfaults.Pass)
					if sent < k {
						break
					}
					what := fmt.Sprintf("%s while another program %s before request %d: %v", b.name, i.name, k, failed)
					require.NoError(t, u.leftovers(t).clean(), what)
					require.NotEqual(t, trestle.Unknown, trestle.OutcomeOf(failed), what)
					known := failed == nil || i.slow && errors.Is(failed, trestle.ErrCondition)
					for _, is := range b.fails {
						known = known || errors.Is(failed, is)
					}
					require.True(t, known, what)
				}
			}
		}
	})
}

// The program also crashes, at any later moment. Clean finds what is left, if nobody took the save
// for an old one.
func TestCleanFindsWhatIsLeftBesideAnotherProgram(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		u := newUsers(t, e.Client(t))
		stride := testsize.Pick(5, 1)
		if e.Name == engines.DynamoDBLocal {
			require.NoError(t, eachCrashBeside(t, u, testsize.Pick(7, 7, 1), intruders[:1]))
			return
		}
		require.NoError(t, eachCrashBeside(t, u, 1, intruders[:1]))
		require.NoError(t, eachCrashBeside(t, u, stride, intruders[1:]))
	})
}

// eachCrashBeside runs every save and deletion with every other program that is not slow, and every
// later crash, or one of stride many.
func eachCrashBeside(t *testing.T, u *users, stride int, others []intruder) error {
	t.Helper()
	n := 0
	for _, b := range besides {
		for _, i := range others {
			for k, last := 1, i.slow; !last; k++ {
				for crash, done := k, false; !done; crash++ {
					f := []testfaults.Fate{testfaults.Drop, testfaults.Lose}[n/stride%2]
					if n++; n%stride > 0 && crash < k+maxRequests {
						continue
					}
					sent, failed := b.run(t, u, i, k, crash, f)
					done, last = sent < crash, sent < k
					u.clock.advance(2 * writeTime)
					require.NoError(t, u.profiles.Clean(t.Context(), key("a")))
					if err := u.leftovers(t).clean(); err != nil {
						return fmt.Errorf("%s while another program %s before request %d, and a crash at request %d: %w (%v)", b.name, i.name, k, crash, err, failed)
					}
				}
			}
		}
	}
	return nil
}

// maxRequests is more than the number of requests of a save or a deletion of these tests.
const maxRequests = 30

// The negative control: a deletion that also deletes the intent of a save that still runs, so that
// nothing names a chunk that the save stores later.
func TestCleanFindsWhatIsLeftControl(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, eachCrashBeside(t, newUsers(t, ddbtest.Client(t)), 1, []intruder{{"deletes", false, removeIntents}}), errLeft)
}

// removeIntents deletes the document, and the intents of all saves.
func removeIntents(ctx context.Context, u *users) error {
	err := remove(ctx, u)
	out, failed := u.client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("users"), ConsistentRead: aws.Bool(true)})
	if failed != nil {
		return failed
	}
	for _, item := range out.Items {
		if strings.HasPrefix(item["PK"].(*types.AttributeValueMemberS).Value, "$U#intent") {
			at := map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]}
			if _, failed := u.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("users"), Key: at}); failed != nil {
				return failed
			}
		}
	}
	return err
}
