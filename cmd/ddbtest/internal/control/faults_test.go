package control_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
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
	e.fails(http.StatusNotFound, http.MethodGet, "/faults/1", "")
	e.delete("/faults")
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
// that no rule is added.
func TestInvalidFaults(t *testing.T) {
	t.Parallel()
	e, _ := startThings(t)
	for _, c := range []struct {
		body   string
		fields []string
		cure   string
	}{
		{`{"operatons":["PutItem"],"nth":0,"key":7,"for":"soon","effects":[{"effect":"Rest"},{"effect":"Delay"},{"effect":"Reset","count":1}]}`,
			[]string{"operatons", "key", "for", "effects[0].effect", "effects[1].duration", "effects[2].count", ""}, `"operations"`},
		{`{"operations":["PutItm"],"nth":1,"every":2,"effects":[{"effect":"Reset"},{"effect":"Hang"}]}`, []string{"", "", ""}, ""},
		{`{"effects":[{"effect":"Throttle","afterCommit":true}]}`, []string{""}, ""},
		{`{}`, []string{""}, ""},
		{`{"nth":"1","effects":[{"effect":"Reset"}]}`, []string{"nth"}, ""},
		{`{"rate":null,"effects":null}`, []string{""}, ""},
		{``, []string{""}, "JSON"},
		{`{"effects":[{"effect":"Reset"}]} {}`, []string{""}, "JSON"},
	} {
		fields, cures := e.fails(http.StatusBadRequest, http.MethodPost, "/faults", c.body)
		require.Equal(t, c.fields, fields, c.body)
		require.Contains(t, cures, c.cure)
	}
	require.Empty(t, list(t, e.get("/faults"), "faults"))
	require.Empty(t, list(t, e.get("/databases"), "databases")[0]["defects"], "they are no defects of the engine")
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
