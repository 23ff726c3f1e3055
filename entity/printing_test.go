package entity_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/canaries"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

const (
	canary       = canaries.Text
	canaryNumber = canaries.Number
)

// cagey is text whose methods fail with errors that contain the value.
type cagey string

func (c cagey) MarshalText() ([]byte, error) {
	if strings.HasSuffix(string(c), "!") {
		return nil, errors.New("cannot write " + string(c))
	}
	return []byte(c), nil
}

func (c *cagey) UnmarshalText(text []byte) error {
	if strings.HasSuffix(string(text), "?") {
		return errors.New("cannot read " + string(text))
	}
	*c = cagey(text)
	return nil
}

// secret has a canary in every field.
type secret struct {
	_       entity.Key        `type:"secret" pk:"S#<tenant>" sk:"S#<code:cagey>#<n:ord>"`
	_       entity.Index      `name:"by-mail" on:"GSI1" pk:"M#<mail>" sk:"L#<level:012>"`
	Tenant  string            `dynamodbav:"tenant"`
	Code    cagey             `dynamodbav:"code"`
	N       int64             `dynamodbav:"n"`
	Mail    string            `dynamodbav:"mail,omitempty"`
	Level   int               `dynamodbav:"level"`
	Blob    []byte            `dynamodbav:"blob"`
	Rate    float64           `dynamodbav:"rate"`
	At      time.Time         `dynamodbav:"at"`
	Tags    []string          `dynamodbav:"tags,stringset,omitempty"`
	Map     map[string]string `dynamodbav:"map"`
	Home    *address          `dynamodbav:"home"`
	Version int64             `dynamodbav:"version" entity:"version"`
}

var (
	secMail  = attr.Must(func(s *secret) *string { return &s.Mail })
	secLevel = attr.Must(func(s *secret) *int { return &s.Level })
	secMap   = attr.Must(func(s *secret) *map[string]string { return &s.Map })
	secTags  = attr.Must(func(s *secret) *[]string { return &s.Tags })
	secCity  = attr.Must(func(s *secret) *string { return &s.Home.City })
	secRate  = attr.Must(func(s *secret) *float64 { return &s.Rate })
	secN     = attr.Must(func(s *secret) *int64 { return &s.N })
)

// leaky produces errors. Its repository of secrets has a service that replies at random, with
// values in every possible place.
type leaky struct {
	*rand.Rand
	repo  *entity.Repo[secret]
	seen  []trestle.Event
	plans []trestle.Explanation
	reply string
}

func newLeaky(t *testing.T, seed uint64) *leaky {
	t.Helper()
	l := &leaky{Rand: rand.New(rand.NewPCG(seed, 14))}
	s := entity.NewSchema(entity.Config{
		Indexes: []entity.IndexConfig{{Name: "GSI1"}},
		Formats: map[string]keys.Format{"cagey": {Kinds: []keys.Kind{keys.KindText}, Encode: func(v keys.Value) (string, error) {
			if strings.HasSuffix(v.Text(), "~") {
				return "", errors.New("cannot write " + v.Text())
			}
			return v.Text(), nil
		}, Decode: func(s string) (keys.Value, error) { return keys.Text(s), nil }}},
		Observer: trestle.ObserverFunc(func(_ context.Context, ev trestle.Event) { l.seen = append(l.seen, ev) }),
	})
	secrets := entity.Define[secret](s)
	table, err := s.Open(canned(l.answer), "secrets")
	require.NoError(t, err)
	l.repo = secrets.In(table)
	return l
}

// answer returns a random reply with the canary in every possible place.
func (l *leaky) answer(request) reply {
	item := `{"PK":{"S":"S#CANARY"},"SK":{"S":"S#CANARY#x"},"_type":{"S":"secret"},"tenant":{"S":"CANARY"},"n":{"N":"731629931"}%s}`
	more := []string{``, `,"n":{"S":"CANARY"}`, `,"code":{"S":"CANARY?"}`, `,"blob":{"SS":["CANARY"]}`, `,"at":{"S":"CANARY"}`, `,"level":{"N":"731629931731629931731"}`,
		`,"version":{"S":"CANARY"}`, `,"map":{"M":{"CANARY":{"N":"1"}}}`, `,"home":{"L":[{"S":"CANARY"}]}`}
	item = fmt.Sprintf(item, more[l.IntN(len(more))])
	kinds := []struct {
		name  string
		reply func(request) reply
	}{
		{"success", says(200, `{"Item":`+item+`,"Attributes":`+item+`,"UnprocessedItems":{"secrets":[`+pick(l, unprocessedSecrets)+`]}}`)},
		{"condition", says(400, `{"__type":"x#ConditionalCheckFailedException","message":"CANARY","Item":`+item+`}`)},
		{"validation", refuses(400, "ValidationException", "Input collection [CANARY, CANARY] contains duplicates, of CANARY")},
		{"unknown code", refuses(400, "SomethingException", "CANARY")},
		{"throttled", refuses(400, "ThrottlingException", "CANARY")},
		{"internal", refuses(500, "InternalServerError", "CANARY")},
		{"not JSON", says(200, `{"Item":{"CANARY`)},
		{"network", func(request) reply { return breaks(&net.OpError{Op: "read", Err: errors.New("CANARY")}) }},
		{"name", func(request) reply {
			return breaks(&net.OpError{Op: "dial", Err: &net.DNSError{Name: "CANARY", Err: "CANARY"}})
		}},
		{"transport", func(request) reply {
			return func(r request) (*http.Response, error) { return nil, errors.New("CANARY " + r.URL.String()) }
		}},
	}
	k := kinds[l.IntN(len(kinds))]
	l.reply = k.name
	return k.reply(request{})
}

// unprocessedSecrets are unprocessed writes: none, a foreign one, and one that is sent.
var unprocessedSecrets = []string{
	``, ``, `{"PutRequest":{"Item":{"CANARY":{"S":"CANARY"}}}}`, `{"DeleteRequest":{"Key":{"PK":{"S":"S#CANARY"},"SK":{"S":"S#CANARY#0000000731629931"}}}}`,
}

// entity returns a secret full of canaries, in most cases with a mistake.
func (l *leaky) entity() secret {
	s := secret{
		Tenant: canary, Code: canary, N: canaryNumber, Mail: canary + "@x", Level: canaryNumber, Blob: []byte(canary), Rate: canaryNumber,
		At: epoch, Tags: []string{canary, "x"}, Map: map[string]string{canary: canary}, Home: &address{City: canary},
	}
	for _, wrong := range []func(){
		func() { s.Tenant = "" },
		func() { s.Tenant = canary + "\xff" },
		func() { s.Tenant = strings.Repeat(canary, 400) },
		func() { s.Code = canary + "!" },
		func() { s.Code = canary + "~" },
		func() { s.Mail = strings.Repeat(canary, 400) },
		func() { s.Mail = canary + "\xff" },
		func() { s.Level = -canaryNumber },
		func() { s.Rate = math.NaN() },
		func() { s.Tags = []string{canary, canary} },
		func() { s.Map = map[string]string{canary: strings.Repeat(canary, 80_000)} },
		func() { s.Version = canaryNumber },
		func() { s.Version = math.MaxInt64 },
	} {
		if l.IntN(40) == 0 {
			wrong()
		}
	}
	return s
}

func (l *leaky) condition() attr.Cond[secret] {
	return pick(l, []attr.Cond[secret]{
		secMail.Eq(canary), secMail.Eq(canary + "\xff"), attr.Contains(secTags, canary), secRate.Gt(math.NaN()), attr.Key(secMap, canary).Eq(canary),
		attr.Named[secret]("tags[0]").Eq(canary), secLevel.Between(canaryNumber, 1), secMail.In(), attr.Not(secMail.Eq(canary)), attr.Named[secret]("map." + canary).Eq(make(chan int)),
	})
}

func (l *leaky) change() attr.Change[secret] {
	return pick(l, []attr.Change[secret]{
		secMail.Set(canary), secMail.Set(strings.Repeat(canary, 400)), secMail.Set("\xff" + canary), secLevel.Set(-canaryNumber), secN.Set(canaryNumber),
		attr.Key(secMap, canary).Set(canary), attr.Key(secMap, canary).Set(canary), secMap.Set(map[string]string{canary: canary}), attr.SetAdd(secTags, canary, canary),
		attr.Add(secLevel, canaryNumber), secCity.Set(canary), secRate.Set(math.Inf(1)), attr.If(l.condition()), attr.Named[secret]("map[3]").Set(canary),
		attr.Named[secret]("home.city").Set(canaryNumber), attr.Append(secTags, canary),
	})
}

// alone lets a batch send one request at a time, because the random source is not safe for
// concurrent use.
var alone = entity.Concurrency(1)

func pick[E any](l *leaky, list []E) E { return list[l.IntN(len(list))] }

// fails makes one call and returns its verb.
func (l *leaky) fails(ctx context.Context) (verb string, err error) {
	e := l.entity()
	repo := l.repo
	if l.IntN(2) == 0 {
		repo = repo.With(entity.ReadFirst())
	}
	switch verb = pick(l, []string{"get", "create", "put", "overwrite", "update", "upsert", "delete", "encode", "key", "decode", "inputs", "returning", "explain", "put many", "delete many", "write many"}); verb {
	case "get":
		_, err = repo.Strong().Get(ctx, e)
	case "create":
		err = repo.Create(ctx, &e)
	case "put":
		err = repo.Put(ctx, &e, l.condition())
	case "overwrite":
		err = repo.Overwrite(ctx, &e)
	case "update":
		_, err = repo.Update(ctx, e, l.change(), l.change())
	case "upsert":
		_, err = repo.Upsert(ctx, e, l.change())
	case "delete":
		err = repo.Delete(ctx, e, l.condition())
	case "encode":
		_, err = repo.Type().Encode(&e)
	case "key":
		_, err = repo.Type().KeyOf(e)
	case "decode":
		_, err = repo.Type().Decode(map[string]types.AttributeValue{
			"_type": pick(l, []types.AttributeValue{avS("secret"), avS(canary)}), "n": avS(canary), "PK": avS(canary), "SK": avS(canary + "?"),
		})
	case "inputs":
		_, err = repo.Op().Update(e, l.change()).Input()
	case "explain":
		var plan trestle.Explanation
		plan, err = pick(l, []func() (trestle.Explanation, error){
			func() (trestle.Explanation, error) { return repo.Op().Get(e).Explain() },
			func() (trestle.Explanation, error) { return repo.Op().Put(&e, l.condition()).Explain() },
			func() (trestle.Explanation, error) { return repo.Op().Update(e, l.change(), l.change()).Explain() },
			func() (trestle.Explanation, error) { return repo.Op().Upsert(e, l.change()).Explain() },
			func() (trestle.Explanation, error) { return repo.Op().Delete(e, l.condition()).Explain() },
			func() (trestle.Explanation, error) { return repo.Reader().ExplainMany([]secret{e, e}) },
		})()
		l.plans = append(l.plans, plan)
	case "put many":
		other := l.entity()
		err = repo.PutMany(ctx, slices.Values([]*secret{&e, &other, nil}), alone)
	case "delete many":
		e.Version = 0
		err = repo.DeleteMany(ctx, slices.Values([]secret{e, l.entity()}), alone)
	case "write many":
		err = entity.WriteMany(ctx, slices.Values([]entity.Operation{repo.Op().Put(&e), repo.Op().Update(l.entity(), l.change()), repo.Op().Delete(secret{Tenant: canary, Code: canary})}), alone)
	case "returning":
		_, err = repo.Op().Put(&e).Return(trestle.AllOld).Do(ctx)
	}
	return verb, err
}

// copies returns copies of an error, as values and not as pointers.
func copies(err error) []any {
	var e *trestle.OpError
	if !errors.As(err, &e) {
		return nil
	}
	list := []any{*e, []trestle.OpError{*e}}
	if many := (*trestle.UnprocessedError)(nil); errors.As(err, &many) {
		list = append(list, *many, []trestle.UnprocessedError{*many}, many.Failures, struct{ unprocessed any }{*many})
		for _, f := range many.Failures {
			list = append(list, f)
		}
	}
	return list
}

var wantedOutcomes = []string{"limit", "invalid", "unknown", "condition", "exists", "stale", "none"}

// No error, no event and no line of Log prints a value, in any format. The SDK's own errors do.
func TestErrorsAndLogsContainNoValue(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	seed := testrand.Seed(t)
	l := newLeaky(t, seed)
	// More than a quarter of the failures are leaks of the negative control.
	wanted := testsize.Pick(1000, 1500, 70_000)
	verbs, replies, outcomes := map[string]int{}, map[string]int{}, map[string]int{}
	failed, leaks, planned := 0, 0, 0
	var lines bytes.Buffer
	log := trestle.SlogObserver(slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug})))
	// Few calls fail because of a name, are throttled until the last attempt, or are stale (one of
	// 600).
	complete := func() bool {
		return len(verbs) == 16 && len(replies) == 11 && !slices.ContainsFunc(wantedOutcomes, func(name string) bool { return outcomes[name] == 0 })
	}
	for failed < wanted || !complete() && failed < 20_000 {
		l.seen, l.plans, l.reply = l.seen[:0], l.plans[:0], "nothing sent"
		verb, err := l.fails(t.Context())
		for _, plan := range l.plans {
			require.Empty(t, canaries.Printed(plan))
			planned += len(plan.Key)
		}
		if err == nil {
			continue
		}
		failed++
		verbs[verb]++
		replies[l.reply]++
		outcomes[outcomeName(err)]++
		require.Empty(t, canaries.Failed(err), "%s, %s", verb, l.reply)
		for _, c := range copies(err) {
			require.Empty(t, canaries.Printed(c), "%s, %s", verb, l.reply)
		}
		for _, ev := range l.seen {
			require.Empty(t, canaries.Printed(ev), "event of %s, %s", verb, l.reply)
			lines.Reset()
			log.End(t.Context(), ev)
			require.Positive(t, lines.Len())
			require.False(t, canaries.In(lines.String()), "line of %s, %s: %s", verb, l.reply, &lines)
		}
		if sdk := (*smithy.OperationError)(nil); errors.As(err, &sdk) && canaries.Printed(sdk) != "" {
			leaks++
		}
	}
	t.Logf("verbs %v, replies %v, outcomes %v, the SDK's own errors leak %d times", verbs, replies, outcomes, leaks)
	require.Greater(t, leaks, wanted/20, "the negative control")
	require.Len(t, verbs, 16)
	require.Positive(t, planned)
	require.Len(t, replies, 11)
	for _, name := range wantedOutcomes {
		require.Positive(t, outcomes[name], name)
	}
}

func outcomeName(err error) string {
	for kind, name := range map[error]string{
		trestle.ErrNotFound: "not found", trestle.ErrExists: "exists", trestle.ErrStale: "stale", trestle.ErrCondition: "condition",
		trestle.ErrUnknown: "unknown", trestle.ErrLimit: "limit", trestle.ErrInvalid: "invalid",
	} {
		if errors.Is(err, kind) {
			return name
		}
	}
	return "none"
}

// An item of an unregistered type prints at most its type.
func TestRawPrintsNoValue(t *testing.T) {
	t.Parallel()
	raw := entity.Raw{Type: "thing", Item: map[string]types.AttributeValue{"id": avS(canary), "n": avN("731629931")}}
	require.Empty(t, canaries.Printed(raw))
	require.Contains(t, raw.String(), "thing")
}
