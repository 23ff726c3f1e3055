package control_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
)

func put(t *testing.T, client *dynamodb.Client, id string) error {
	t.Helper()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String("things"), Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
	})
	return err
}

func TestFaults(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	first := e.post("/faults", `{"operations":["PutItem"],"table":"things","key":{"id":{"S":"a"}},"times":1,
		"effects":[{"effect":"Error","code":"InternalServerError","message":"none","status":500,"afterCommit":true}]}`)
	second := e.post("/faults", `{"operations":["Scan"],"effects":[{"effect":"Throttle","limits":["TableReadKeyRangeThroughputExceeded"]}]}`)
	require.InDelta(t, 1, first["id"], 0)
	require.InDelta(t, 2, second["id"], 0)
	require.Len(t, list(t, e.get("/faults"), "faults"), 2)

	require.NoError(t, put(t, client, "b"), "another key")
	require.Error(t, put(t, client, "a"))
	require.NoError(t, put(t, client, "a"), "only once")
	require.InDelta(t, 1, e.get("/faults/1")["hits"], 0)
	require.InDelta(t, 0, e.get("/faults/2")["hits"], 0)
	require.InDelta(t, 2, e.get("/tables/things/items")["count"], 0)

	e.delete("/faults/1")
	_, cures := e.fails(http.StatusNotFound, http.MethodGet, "/faults/1", "")
	require.Equal(t, "the only one is 2\n", cures)
	e.delete("/faults")
	_, cures = e.fails(http.StatusNotFound, http.MethodDelete, "/faults/2", "")
	require.Contains(t, cures, "create one")
	require.Empty(t, list(t, e.get("/faults"), "faults"))
	_, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("things")})
	require.NoError(t, err, "the rule is removed")
	require.InDelta(t, 3, e.post("/faults", `{"effects":[{"effect":"Reset"}]}`)["id"], 0, "no number is used twice")
}

// TestEveryEffect checks that each effect can be added with its members, and without any other.
func TestEveryEffect(t *testing.T) {
	t.Parallel()
	e, _ := startThings(t)
	for effect, members := range map[string]string{
		"Reset": "", "Refused": "", "Hang": "", "InternalError": "", "Unavailable": "", "Truncate": "", "WrongChecksum": "", "InvalidJSON": "",
		"LateDuplicate": "", "LateDuplicateAfterWrite": "", "Conflict": "", "ReplicatedWriteConflict": "", "InProgress": "", "CollectionFull": "",
		"EmptyPage": "", "ExpiredIterator": "", "TrimmedData": "",
		"Delay": `,"duration":"2s"`, "Throttle": `,"limits":["ThrottlingException"]`, "Error": `,"code":"X","message":"y","status":400`,
		"Cancel": `,"action":0,"reason":"ConditionalCheckFailed"`, "Unprocessed": `,"count":1`, "UnprocessedRate": `,"probability":0.5`, "CutPage": `,"count":1`,
	} {
		state := e.post("/faults", `{"effects":[{"effect":"`+effect+`"`+members+`}]}`)
		require.Contains(t, state["text"], effect)
		if members != "" && effect != "Throttle" {
			e.fails(http.StatusBadRequest, http.MethodPost, "/faults", `{"effects":[{"effect":"`+effect+`"}]}`)
		}
		fields, _ := e.fails(http.StatusBadRequest, http.MethodPost, "/faults", `{"effects":[{"effect":"`+effect+`"`+members+`,"count":1,"code":"x"}]}`)
		require.NotEmpty(t, fields, effect)
	}
	require.Len(t, list(t, e.get("/faults"), "faults"), 24)
}

// TestEffectValues checks that each specified value of a member makes a rule, and that every other
// one is an error that names them.
func TestEffectValues(t *testing.T) {
	t.Parallel()
	e, _ := startThings(t)
	members := document(t).Components.Schemas["Effect"].Value.Properties
	limits, reasons := members["limits"].Value.Items.Value.Enum, members["reason"].Value.Enum
	require.Len(t, limits, 19)
	require.Len(t, reasons, 6)
	text, err := os.ReadFile("../../../../docs/ddbtest.md")
	require.NoError(t, err)
	for _, limit := range limits {
		index := ""
		if strings.HasPrefix(limit.(string), "IndexWrite") { //nolint:forcetypeassert // an enum of strings
			index = `,"index":"x"`
		}
		e.post("/faults", fmt.Sprintf(`{"effects":[{"effect":"Throttle","limits":[%q]}]%s}`, limit, index))
	}
	_, cures := e.problems(http.StatusBadRequest, http.MethodPost, "/faults", `{"effects":[{"effect":"Cancel","action":0,"reason":"None"}]}`)
	for _, reason := range reasons {
		e.post("/faults", fmt.Sprintf(`{"effects":[{"effect":"Cancel","action":0,"reason":%q}]}`, reason))
		require.Contains(t, cures, reason)
		require.Contains(t, string(text), "`"+reason.(string)+"`") //nolint:forcetypeassert // an enum of strings
	}
	e.fails(http.StatusBadRequest, http.MethodPost, "/faults", `{"effects":[{"effect":"Throttle","limits":["TableDeleteKeyRangeThroughputExceeded"]}]}`)
}

// TestNoOptionIsMissing checks that the endpoint has every option and every effect of package
// ddbtest, except Matching, which is a Go function.
func TestNoOptionIsMissing(t *testing.T) {
	t.Parallel()
	schemas := document(t).Components.Schemas
	specified := func(schema, member string) bool {
		return schemas[schema].Value.Properties[member] != nil
	}
	var effects []string
	for _, v := range schemas["Effect"].Value.Properties["effect"].Value.Enum {
		effects = append(effects, v.(string)) //nolint:forcetypeassert // an enum of strings
	}
	options, effectNames := declared(t)
	require.GreaterOrEqual(t, len(options), 11)
	require.GreaterOrEqual(t, len(effectNames), 25)
	for _, name := range options {
		member := map[string]string{"Op": "operations"}[name]
		if member == "" {
			member = strings.ToLower(strings.TrimPrefix(name, "On"))
		}
		require.True(t, name == "Matching" || specified("Fault", member), name)
	}
	for _, name := range effectNames {
		if name == "AfterCommit" {
			require.True(t, specified("Effect", "afterCommit"))
			continue
		}
		require.Contains(t, effects, name)
	}
	require.Len(t, effects, len(effectNames)-1)
}

// declared returns the functions of package ddbtest that return options and effects, and the
// constants of Fault.
func declared(t *testing.T) (options, effects []string) {
	t.Helper()
	files, err := filepath.Glob("../../../../ddbtest/*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				switch result := resultOf(d); {
				case d.Recv != nil || !d.Name.IsExported():
				case result == "RuleOption":
					options = append(options, d.Name.Name)
				case result == "Effect":
					effects = append(effects, d.Name.Name)
				}
			case *ast.GenDecl:
				effects = append(effects, faultConstants(d)...)
			}
		}
	}
	return options, effects
}

func resultOf(f *ast.FuncDecl) string {
	if f.Type.Results == nil || len(f.Type.Results.List) != 1 {
		return ""
	}
	name, _ := f.Type.Results.List[0].Type.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}

// faultConstants returns the constants of a declaration that begins with one of type Fault.
func faultConstants(d *ast.GenDecl) (names []string) {
	if d.Tok != token.CONST {
		return nil
	}
	for i, spec := range d.Specs {
		value, _ := spec.(*ast.ValueSpec)
		if kind, _ := value.Type.(*ast.Ident); i == 0 && (kind == nil || kind.Name != "Fault") {
			return nil
		}
		names = append(names, value.Names[0].Name)
	}
	return names
}

// TestInvalidFaults checks that everything that is wrong is reported at once, with the cure, and
// that no rule is added. No text has a name of package ddbtest that is not one of the endpoint.
func TestInvalidFaults(t *testing.T) {
	t.Parallel()
	e, _ := startThings(t)
	for _, c := range []struct {
		body   string
		fields []string
		text   string
	}{
		{`{"operatons":["PutItem"],"nth":0,"key":7,"for":"soon","effects":[{"effect":"Rest"},{"effect":"Delay"},{"effect":"Reset","count":1}]}`,
			[]string{"operatons", "key", "for", "effects[0].effect", "effects[1].duration", "effects[2].count", "nth"}, `"operations"`},
		{`{"operations":["PutItm"],"nth":1,"every":2,"effects":[{"effect":"Reset"},{"effect":"Hang"}]}`, []string{"", "", "operations[0]"}, `"PutItem"`},
		{`{"operations":["GetItem","CreateBackup"],"effects":[{"effect":"Reset"}]}`, []string{"operations[1]"}, "CreateBackup"},
		{`{"operations":[],"table":"","index":"","key":{},"nth":-1,"every":0,"first":0,"times":0,"rate":2,"for":"0s","effects":[{"effect":"Reset"}]}`,
			[]string{"operations", "table", "index", "nth", "every", "first", "times", "rate", "key", "for"}, "omit operations"},
		{`{"table":"things","key":{"no":{"S":"secret"}},"effects":[{"effect":"Reset"}]}`, []string{""}, `"no" is not a key attribute`},
		{`{"table":"things","key":{"Rate":{"S":"secret"}},"effects":[{"effect":"Reset"}]}`, []string{""}, `"Rate" is not a key attribute`},
		{`{"effects":[{"effect":"Throttle","afterCommit":true}]}`, []string{"effects[0].afterCommit"}, "Reset, Hang"},
		{`{"effects":[{"effect":"Throttle","limits":["x"]}]}`, []string{"effects[0].limits"}, "TableWriteKeyRangeThroughputExceeded"},
		{`{"effects":[{"effect":"Throttle","limits":["IndexWriteKeyRangeThroughputExceeded"]}]}`, []string{"effects[0].limits"}, "needs index"},
		{`{"effects":[{"effect":"Cancel","action":-1,"reason":"Conflict"}]}`, []string{"effects[0]", "effects[0]"}, "TransactionConflict"},
		{`{"effects":[{"effect":"Error","code":"x","status":200}]}`, []string{"effects[0]"}, "599"},
		{`{"effects":[{"effect":"Unprocessed","count":0}]}`, []string{"effects[0].count"}, "positive"},
		{`{"effects":[{"effect":"UnprocessedRate","probability":7}]}`, []string{"effects[0].probability"}, "from 0 to 1"},
		{`{"effects":[{"effect":"CutPage","count":0}]}`, []string{"effects[0].count"}, "positive"},
		{`{"operations":["Query"],"key":{"id":{"S":"secret"}},"effects":[{"effect":"Unprocessed","count":1}]}`, []string{"key", "effects[0].count"}, "key is for"},
		{`{"operations":["GetItem"],"effects":[{"effect":"Unprocessed","count":1}]}`, []string{"effects[0].count"}, "name other operations"},
		{`{"operations":["ListTables"],"table":"things","index":"x","effects":[{"effect":"Reset"}]}`, []string{"table", "index"}, "index is for"},
		{`{"nth":2,"first":1,"effects":[{"effect":"Reset"}]}`, []string{""}, "nth acts once: it cannot have every, first or times"},
		{`{"every":5,"first":4,"effects":[{"effect":"Delay","duration":"1s"},{"effect":"Delay","duration":"1s"}]}`, []string{"", ""}, "first 4 excludes"},
		{`{"effects":[{"effect":"Delay","duration":"1s","afterCommit":true},{"effect":"Delay","duration":"1s","afterCommit":true}]}`,
			[]string{""}, "Delay with afterCommit"},
		{`{"effects":[]}`, []string{"effects"}, `{"effect":"Reset"}`},
		{`{"effects":[],"nth":0}`, []string{"effects", "nth"}, ""},
		{`{}`, []string{"effects"}, ""},
		{`{"nth":"1","effects":[{"effect":"Reset"}]}`, []string{"nth"}, ""},
		{`{"rate":null,"effects":null}`, []string{"effects"}, ""},
		{``, []string{""}, "JSON"},
		{`{"effects":[{"effect":"Reset"}]} {}`, []string{""}, "JSON"},
	} {
		fields, text := e.problems(http.StatusBadRequest, http.MethodPost, "/faults", c.body)
		require.ElementsMatch(t, c.fields, fields, "%s\n%s", c.body, text)
		require.Contains(t, text, c.text)
		require.NotContains(t, text, "secret")
		require.NotRegexp(t, ofGo, strings.ReplaceAll(text, `"Rate"`, ""))
	}
	require.Empty(t, list(t, e.get("/faults"), "faults"))
	require.Empty(t, list(t, e.get("/databases"), "databases")[0]["defects"], "they are no defects of the engine")
}

// ofGo matches names of package ddbtest that the endpoint does not have, and calls of functions.
var ofGo = regexp.MustCompile(`\b(Op|OnTable|OnIndex|OnKey|Nth|Every|First|Times|Rate|For|AfterCommit|AtMost)\b|\w\(|operation error`)

// TestFaultCheck checks that a rule that never acted is an error with the reason, in the names of
// the endpoint.
func TestFaultCheck(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	for _, c := range []struct{ body, text string }{
		{`{"table":"thing","effects":[{"effect":"Reset"}]}`, `"things"`},
		{`{"table":"others","effects":[{"effect":"Reset"}]}`, `"others"`},
		{`{"index":"x","effects":[{"effect":"Reset"}]}`, `"x"`},
		{`{"key":{"no":{"S":"secret"}},"effects":[{"effect":"Reset"}]}`, "key: no table has these key attributes"},
		{`{"operations":["Scan"],"table":"things","effects":[{"effect":"Reset"}]}`, `1 PutItem on table "things", but the rule wants operations "Scan"`},
		{`{"key":{"id":{"S":"secret"}},"effects":[{"effect":"Reset"}]}`, "another item (key)"},
		{`{"operations":["PutItem"],"nth":5,"effects":[{"effect":"Reset"}]}`, "1 request matched its conditions"},
		{`{"operations":["PutItem"],"for":"1ns","effects":[{"effect":"Reset"}]}`, "for 1ns had ended"},
	} {
		e.post("/faults", c.body)
		e.post("/clock/advance", `{"by":"1s"}`)
		id := e.get("/faults")["faults"].([]any)[0].(object)["id"].(float64) //nolint:forcetypeassert // a failure of the test
		require.NoError(t, put(t, client, "a"))
		fields, text := e.problems(http.StatusConflict, http.MethodPost, fmt.Sprintf("/faults/%g/check", id), "")
		require.Equal(t, []string{""}, fields)
		require.Contains(t, text, c.text)
		require.NotContains(t, text, "secret")
		require.NotRegexp(t, ofGo, text)
		e.delete("/faults")
	}
	e.post("/faults", `{"effects":[{"effect":"Reset"}]}`)
	require.Error(t, put(t, client, "a"))
	require.InDelta(t, 1, e.post("/faults/9/check", "")["hits"], 0)
	e.fails(http.StatusNotFound, http.MethodPost, "/faults/10/check", "{}")
}

// TestHeld checks that a delayed request and a late duplicate are listed, and that the latter is
// applied on demand.
func TestHeld(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	e.post("/faults", `{"operations":["PutItem"],"nth":1,"effects":[{"effect":"LateDuplicate"}]}`)
	require.Error(t, put(t, client, "a"))
	held := list(t, e.get("/held"), "requests")
	require.Len(t, held, 1)
	require.Equal(t, true, held[0]["late"])
	require.Empty(t, list(t, e.get("/tables/things/items"), "items"))
	require.Empty(t, list(t, e.post("/held/deliver", ""), "requests"))
	require.Len(t, list(t, e.get("/tables/things/items"), "items"), 1)
}

// TestFaultsBelongToADatabase checks that the rules of a database do not act on another one.
func TestFaultsBelongToADatabase(t *testing.T) {
	t.Parallel()
	e, client := startThings(t)
	_, err := e.databases.Open(databases.Key{AccessKey: "two", Region: "us-east-1"})
	require.NoError(t, err)
	e.post("/faults?accessKey=two", `{"effects":[{"effect":"Reset"}]}`)
	require.NoError(t, put(t, client, "a"))
	require.Empty(t, list(t, e.get("/faults?accessKey=one"), "faults"))
	e.post("/faults?accessKey=one", `{"effects":[{"effect":"Reset"}]}`)
	require.Error(t, put(t, client, "a"))
}
