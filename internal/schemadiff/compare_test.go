package schemadiff_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
)

type (
	worker struct {
		Firm   string    `dynamodbav:"firm"`
		ID     string    `dynamodbav:"id"`
		Team   string    `dynamodbav:"team"`
		Level  int       `dynamodbav:"level"`
		Hired  time.Time `dynamodbav:"hired"`
		Skills []string  `dynamodbav:"skills"`
	}
	reordered struct {
		Skills []string  `dynamodbav:"skills"`
		Hired  time.Time `dynamodbav:"hired"`
		Level  int       `dynamodbav:"level"`
		Team   string    `dynamodbav:"team"`
		ID     string    `dynamodbav:"id"`
		Firm   string    `dynamodbav:"firm"`
	}
	widened struct {
		worker
		Nick string  `dynamodbav:"nick"`
		Boss *string `dynamodbav:"boss"`
	}
	nullable struct {
		Firm   string    `dynamodbav:"firm"`
		ID     string    `dynamodbav:"id"`
		Team   *string   `dynamodbav:"team"`
		Level  *int      `dynamodbav:"level"`
		Hired  time.Time `dynamodbav:"hired"`
		Skills []string  `dynamodbav:"skills"`
	}
	renamed struct {
		Firm   string    `dynamodbav:"firm"`
		ID     string    `dynamodbav:"worker_id"`
		Team   string    `dynamodbav:"team"`
		Level  int       `dynamodbav:"level"`
		Hired  time.Time `dynamodbav:"hired"`
		Skills []string  `dynamodbav:"skills"`
	}
	reformatted struct {
		Firm   string    `dynamodbav:"firm"`
		ID     string    `dynamodbav:"id"`
		Team   string    `dynamodbav:"team"`
		Level  int       `dynamodbav:"level,string"`
		Hired  time.Time `dynamodbav:"hired,unixtime"`
		Skills []string  `dynamodbav:"skills,stringset"`
	}
	narrowed struct {
		Firm  string    `dynamodbav:"firm"`
		ID    string    `dynamodbav:"id"`
		Team  string    `dynamodbav:"team"`
		Level int       `dynamodbav:"level"`
		Hired time.Time `dynamodbav:"hired"`
	}
	firm struct {
		Name string `dynamodbav:"name"`
	}
)

// version is a schema at some point in time.
type version struct {
	config entity.Config
	define []func(*entity.Schema)
}

const (
	workerPK, workerSK = "FIRM#<firm>", "WORKER#<id>"
	hiredSK            = "HIRED#<hired:day>#<id>"
)

func spec(name, pk, sk string, indexes ...entity.IndexSpec) entity.Spec {
	return entity.Spec{Type: name, Key: entity.KeySpec{PK: pk, SK: sk}, Indexes: indexes}
}

func byHire(sk string) entity.IndexSpec {
	return entity.IndexSpec{Name: "by-hire", On: "GSI1", PK: workerPK, SK: sk}
}

func define[T any](s entity.Spec) func(*entity.Schema) {
	return func(schema *entity.Schema) { entity.DefineSpec[T](schema, s) }
}

func gsi1() entity.Config {
	return entity.Config{TTL: "ends", Indexes: []entity.IndexConfig{{Name: "GSI1", Include: []string{"team", "level"}}}}
}

// first returns the version that the other versions change.
func first() version {
	return version{gsi1(), []func(*entity.Schema){define[worker](spec("worker", workerPK, workerSK, byHire(hiredSK)))}}
}

func (v version) schema(t *testing.T) *entity.Schema {
	t.Helper()
	s := entity.NewSchema(v.config)
	for _, define := range v.define {
		define(s)
	}
	require.NoError(t, s.Err())
	return s
}

// with returns the first version with another worker.
func with(worker func(*entity.Schema)) version {
	v := first()
	v.define = []func(*entity.Schema){worker}
	return v
}

// within returns the first version with another table configuration.
func within(change func(*entity.Config)) version {
	v := first()
	change(&v.config)
	return v
}

func indexed(more entity.IndexConfig) func(*entity.Config) {
	return func(c *entity.Config) { c.Indexes = append(c.Indexes, more) }
}

// levels is an index of attributes that every worker has as fields.
var levels = entity.IndexConfig{Name: "Levels", Partition: []entity.Attribute{entity.S("firm"), entity.S("team")}, Sort: []entity.Attribute{entity.N("level")}}

// TestDriftSaysWhichStoredItemsAreConcerned checks that each message names the affected stored
// items and a remedy.
func TestDriftSaysWhichStoredItemsAreConcerned(t *testing.T) {
	t.Parallel()
	plain := spec("worker", workerPK, workerSK, byHire(hiredSK))
	for name, c := range map[string]struct {
		now  version
		says []string // the required text of each message, in order
	}{
		"another key": {
			with(define[worker](spec("worker", workerPK, "W#<id>", byHire(hiredSK)))),
			[]string{"SK of worker was WORKER#<id> and is W#<id>: every stored worker is under another key, and must be moved"},
		},
		"another partition": {
			with(define[worker](spec("worker", "F#<firm>", workerSK, byHire(hiredSK)))),
			[]string{"PK of worker was FIRM#<firm> and is F#<firm>: every stored worker is under another key, and must be moved"},
		},
		"another format in an index's key": {
			with(define[worker](spec("worker", workerPK, workerSK, byHire("HIRED#<hired:s>#<id>")))),
			[]string{"GSI1SK of worker was HIRED#<hired:day>#<id> and is HIRED#<hired:s>#<id>: every stored worker must be re-indexed, by writing it again"},
		},
		"other parts in an index's key": {
			with(define[worker](spec("worker", workerPK, workerSK, byHire("HIRED#<hired:day>#<team>")))),
			[]string{"GSI1SK of worker was HIRED#<hired:day>#<id> and is HIRED#<hired:day>#<team>: every stored worker must be re-indexed"},
		},
		"no longer on an index": {
			with(define[worker](spec("worker", workerPK, workerSK))),
			[]string{"worker has no key GSI1PK any more: remove the attribute", "worker has no key GSI1SK any more: remove the attribute"},
		},
		"attributes in other formats": {
			with(define[reformatted](plain)),
			[]string{
				"hired of worker was stored as S(time) and is stored as N(time): a stored worker is read, but conditions do not find it",
				"level of worker was stored as N(int64) and is stored as S(int64): a stored worker is read, but conditions do not find it",
				"skills of worker was stored as NULL|L[S] and is stored as NULL|SS[S]: a stored worker is read, but conditions do not find it",
			},
		},
		"a removed attribute": {
			with(define[narrowed](plain)),
			[]string{"skills of worker is gone: every stored worker keeps it until it is put again"},
		},
		"new attributes": {
			with(define[widened](plain)),
			[]string{
				"attribute boss of worker is new, stored as S|NULL, in the field Boss of type *string: a stored worker without it reads as nil",
				"attribute nick of worker is new, stored as S, in the field Nick of type string: a stored worker without it reads as \"\"",
			},
		},
		"a renamed attribute": {
			with(define[renamed](spec("worker", workerPK, "WORKER#<worker_id>", byHire("HIRED#<hired:day>#<worker_id>")))),
			[]string{
				"GSI1SK of worker was HIRED#<hired:day>#<id> and is HIRED#<hired:day>#<worker_id>: it is the same where an attribute is only called otherwise",
				"SK of worker was WORKER#<id> and is WORKER#<worker_id>: it is the same where an attribute is only called otherwise, and else every stored worker is under another key",
				"id of worker is gone, and worker_id is new, in the field ID: if that is its name now, every stored worker must be written again",
			},
		},
		"a removed type": {
			with(define[firm](spec("firm", "FIRM#<name>", "#FIRM"))),
			[]string{"worker is gone: stored ones are of no known type"},
		},
		"a renamed type": {
			with(define[worker](spec("staff", workerPK, workerSK, byHire(hiredSK)))),
			[]string{"worker is gone, and staff has its keys: if that is its name now, every stored worker must be written again"},
		},
		"another delimiter": {
			version{func() entity.Config { c := gsi1(); c.Delimiter = "-"; return c }(), []func(*entity.Schema){
				define[worker](spec("worker", "FIRM-<firm>", "WORKER-<id>", entity.IndexSpec{Name: "by-hire", On: "GSI1", PK: "FIRM-<firm>", SK: "HIRED-<team>-<id>"})),
			}},
			[]string{
				`delimiter "#" and are written as format 1, raw, delimiter "-": an item is under another key where its values are not written alike, and must be moved; look at every stored worker`,
				"GSI1PK of worker was", "GSI1SK of worker was", "PK of worker was FIRM#<firm> and is FIRM-<firm>: every stored worker is under another key", "SK of worker was",
			},
		},
		"raw keys": {
			within(func(c *entity.Config) { c.Raw = true }),
			[]string{"keys were written as format 1, escaped, delimiter \"#\" and are written as format 1, raw"},
		},
		"the table's key is called otherwise": {
			within(func(c *entity.Config) { c.Partition = entity.S("pk") }),
			[]string{"the table's key was PK:S / SK:S and is pk:S / SK:S: make a new table, and move every stored item there", "worker has no key PK any more", "worker has the key pk now"},
		},
		"an index is gone": {
			version{entity.Config{TTL: "ends"}, []func(*entity.Schema){define[worker](spec("worker", workerPK, workerSK))}},
			[]string{"index GSI1 is gone: delete it", "worker has no key GSI1PK any more", "worker has no key GSI1SK any more"},
		},
		"another projection": {
			within(func(c *entity.Config) { c.Indexes[0].Include = nil }),
			[]string{"index GSI1 was on GSI1PK:S / GSI1SK:S, with level team and is on GSI1PK:S / GSI1SK:S: delete it and add it again; it then takes up every stored item that has its key"},
		},
		"an index's key is called otherwise": {
			within(func(c *entity.Config) {
				c.Indexes[0].Partition, c.Indexes[0].Sort = []entity.Attribute{entity.S("GSI1PK")}, []entity.Attribute{entity.S("byHire")}
			}),
			[]string{"index GSI1 was on", "worker has no key GSI1SK any more", "worker has the key byHire now, as " + hiredSK + ": every stored worker must be re-indexed, by writing it again"},
		},
		"a new index of a new key": {
			version{
				entity.Config{TTL: "ends", Indexes: []entity.IndexConfig{{Name: "GSI1", Include: []string{"team", "level"}}, {Name: "GSI2"}}},
				[]func(*entity.Schema){define[worker](spec("worker", workerPK, workerSK, byHire(hiredSK), entity.IndexSpec{Name: "by-team", On: "GSI2", PK: "T#<team>", SK: "W#<id>"}))},
			},
			[]string{
				"index GSI2 is new: add it to the table",
				"worker has the key GSI2PK now, as T#<team>: every stored worker must be re-indexed, by writing it again", "worker has the key GSI2SK now",
			},
		},
		"a new index of attributes that are there": {
			within(indexed(levels)),
			[]string{"index Levels is new: add it to the table; it takes up every stored item that has its key"},
		},
		"a new local index": {
			within(indexed(entity.IndexConfig{Name: "Local", Sort: []entity.Attribute{entity.S("team")}, Local: true})),
			[]string{"index Local is new and local, which a table can only be made with: make a new table, and move every stored item there"},
		},
		"another type attribute": {
			within(func(c *entity.Config) { c.TypeAttribute = "kind" }),
			[]string{"items said their type in _type and say it in kind: every stored item must be written again"},
		},
		"another time to live": {
			within(func(c *entity.Config) { c.TTL = "expires" }),
			[]string{"items had their time to live in ends and have it in expires: those that are stored do not expire"},
		},
		"no time to live": {
			within(func(c *entity.Config) { c.TTL = "" }),
			[]string{"items had their time to live in ends and have none: those that are stored go on expiring"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			drift := c.now.schema(t).Drift(first().schema(t).Text())
			require.Len(t, drift, len(c.says), "%q", drift)
			for i, says := range c.says {
				require.Contains(t, drift[i], says)
			}
			require.Equal(t, drift, c.now.schema(t).Drift(strings.ReplaceAll(first().schema(t).Text(), "\n", "\r\n")), "as another system checks it out")
		})
	}
}

// TestDriftOfTypesThatKeysTellApart checks reverse changes that are not symmetric.
func TestDriftOfTypesThatKeysTellApart(t *testing.T) {
	t.Parallel()
	byKeys := func(v version) version {
		v.config.TypeAttribute = entity.None
		return v
	}
	was := byKeys(first()).schema(t).Text()
	staff := byKeys(with(define[worker](spec("staff", workerPK, workerSK, byHire(hiredSK))))).schema(t)
	require.Empty(t, staff.Drift(was), "nothing stored says what the type is called")
	drift := first().schema(t).Drift(was)
	require.Len(t, drift, 1)
	require.Contains(t, drift[0], "items say their type in _type now: every stored item must be written again")
	require.Empty(t, byKeys(first()).schema(t).Drift(first().schema(t).Text()), "what they say goes unheard")
	dropped := first().schema(t)
	require.Len(t, dropped.Drift(within(indexed(levels)).schema(t).Text()), 1, "of its key attributes none goes")
}

// TestDriftKeepsQuiet checks that changes without effect on stored items are not reported, and that
// the order of declarations has no effect.
func TestDriftKeepsQuiet(t *testing.T) {
	t.Parallel()
	plain := spec("worker", workerPK, workerSK, byHire(hiredSK))
	was := first().schema(t).Text()
	another := byHire(hiredSK)
	another.Name = "by-date"
	for name, now := range map[string]version{
		"nothing":                     first(),
		"fields in another order":     with(define[reordered](plain)),
		"attributes that may be null": with(define[nullable](plain)),
		"an access pattern's name":    with(define[worker](spec("worker", workerPK, workerSK, another))),
		"the order of a projection":   within(func(c *entity.Config) { c.Indexes[0].Include = []string{"level", "team"} }),
		"a new type": {gsi1(), []func(*entity.Schema){
			define[firm](spec("firm", "FIRM#<name>", "#FIRM")), define[worker](plain),
		}},
	} {
		require.Empty(t, now.schema(t).Drift(was), name)
	}
	narrow := with(define[narrowed](spec("worker", workerPK, "W#<id>", byHire(hiredSK)))).schema(t)
	require.Equal(t, narrow.Drift(was), narrow.Drift(with(define[reordered](plain)).schema(t).Text()))
}

// TestCompareTakesAnyText checks that no text as a description causes a panic.
func TestCompareTakesAnyText(t *testing.T) {
	t.Parallel()
	s := first().schema(t)
	text := s.Text()
	for i := range text {
		_ = s.Drift(text[:i])
		_ = s.Drift(text[i:])
	}
	for _, text := range []string{"", "attribute x S\nkey PK x", "\"", "entity\naccess\nentity \"", "table \"", "index", "key\n\n\x00"} {
		require.NotPanics(t, func() { _ = s.Drift(text) })
	}
}
