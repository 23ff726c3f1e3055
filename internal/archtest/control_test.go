package archtest

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestEveryPair imports every room from every other room. An import in the table must pass, and any
// other import must be reported with the right rule.
func TestEveryPair(t *testing.T) {
	t.Parallel()
	allowed, caught := 0, 0
	for _, from := range rooms {
		for _, to := range rooms {
			source, target := strings.TrimSuffix(from.pattern, "/..."), strings.TrimSuffix(to.pattern, "/...")
			if source == target {
				continue
			}
			imported := strings.TrimSuffix(module+"/"+target, "/.")
			code := file{dir: source, name: "a.go", imports: []string{imported}}
			test := file{dir: source, name: "a_test.go", imports: []string{imported}, test: true}
			require.Empty(t, check(rooms, []file{test}), "%s in a test of %s", target, source)
			if strings.Contains(" "+from.imports+" ", " "+target+" ") {
				allowed++
				require.Empty(t, check(rooms, []file{code}), "%s imports %s", source, target)
				continue
			}
			caught++
			want := []violation{{ruleImport, source + "/a.go", imported}}
			for _, pair := range strangers {
				if slices.Contains(pair[:], source) && slices.Contains(pair[:], target) {
					want = append(want, violation{ruleStranger, "./" + source, target})
				}
			}
			require.Equal(t, want, trimRoot(check(rooms, []file{code})), "%s imports %s", source, target)
		}
	}
	t.Logf("%d imports allowed, %d caught", allowed, caught)
	require.Positive(t, allowed)
	require.Positive(t, caught)
}

// trimRoot gives the files of the root package the same form as all others.
func trimRoot(found []violation) []violation {
	for i, v := range found {
		if !strings.Contains(v.at, "/") {
			found[i].at = "./" + v.at
		}
	}
	return found
}

// TestControl checks source trees that break one rule, or that only seem to break one.
func TestControl(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		tree map[string]string // file to source
		want []rule
	}{
		{"nothing forbidden", map[string]string{
			"internal/core/a.go": `package core; import (_ "sort"; _ "` + module + `/keys"; _ "github.com/aws/aws-sdk-go-v2/service/dynamodb/types")`,
		}, nil},
		{"no line", map[string]string{"internal/util/a.go": `package util`}, []rule{ruleRoom}},
		{"no line below a room", map[string]string{"keys/extra/a.go": `package extra`}, []rule{ruleRoom}},
		{"a line for a tree", map[string]string{"examples/company/store/a.go": `package store`}, nil},
		{"a forbidden room", map[string]string{"keys/a.go": `package keys; import _ "` + module + `/entity"`}, []rule{ruleImport}},
		{"a room without a line", map[string]string{"entity/a.go": `package entity; import _ "` + module + `/nowhere"`}, []rule{ruleImport}},
		{"a room in a test", map[string]string{"keys/a_test.go": `package keys; import _ "` + module + `/internal/testsize"`}, nil},
		{"the engine in code", map[string]string{"query/a.go": `package query; import _ "` + module + `/ddbtest"`}, []rule{ruleImport}},
		{"the SDK in the pure room", map[string]string{"keys/a.go": `package keys; import _ "github.com/aws/aws-sdk-go-v2/aws"`}, []rule{ruleForeign}},
		{"another SDK module", map[string]string{"entity/a.go": `package entity; import _ "github.com/aws/aws-sdk-go-v2/config"`}, []rule{ruleForeign}},
		{"a name that only starts like the SDK's", map[string]string{"entity/a.go": `package entity; import _ "github.com/aws/smithy-gone"`}, []rule{ruleForeign}},
		{"a test library in a test", map[string]string{"entity/a_test.go": `package entity; import _ "pgregory.net/rapid"`}, nil},
		{"a test library in code", map[string]string{"entity/a.go": `package entity; import _ "pgregory.net/rapid"`}, []rule{ruleForeign}},
		{"another library in a test", map[string]string{"entity/a_test.go": `package entity; import _ "example.com/mock"`}, []rule{ruleForeign}},
		{"C", map[string]string{"entity/a.go": `package entity; import "C"`}, []rule{ruleForeign}},
		{"unsafe", map[string]string{"entity/a.go": `package entity; import _ "unsafe"`}, []rule{ruleUnsafe}},
		{"unsafe in its room", map[string]string{"internal/codec/a.go": `package codec; import _ "unsafe"`}, nil},
		{"unsafe in two files", map[string]string{
			"internal/codec/a.go": `package codec; import _ "unsafe"`, "internal/codec/b.go": `package codec; import _ "unsafe"`,
		}, []rule{ruleUnsafe}},
		{"unsafe behind a build tag", map[string]string{
			"entity/a.go": "//go:build fast\n\npackage entity; import _ \"unsafe\"",
		}, []rule{ruleUnsafe}},
		{"testing", map[string]string{"entity/a.go": `package entity; import _ "testing/synctest"`}, []rule{ruleTesting}},
		{"testing in test support", map[string]string{"internal/engines/a.go": `package engines; import _ "testing"`}, nil},
		{"the environment", map[string]string{"entity/a.go": `package entity; import "os"; var x = os.Getenv("X")`}, []rule{ruleEnv}},
		{"the environment by another name", map[string]string{"entity/a.go": `package entity; import s "syscall"; var x = s.Environ`}, []rule{ruleEnv}},
		{"the environment by no name", map[string]string{"entity/a.go": `package entity; import . "os"; var x = Getenv("X")`}, []rule{ruleEnv}},
		{"the environment where it may", map[string]string{"internal/testsize/a.go": `package testsize; import "os"; var x = os.Getenv("X")`}, nil},
		{"another function of os", map[string]string{"entity/a.go": `package entity; import "os"; var x = os.Getpid()`}, nil},
		{"strangers", map[string]string{
			"tx/a.go": `package tx; import _ "` + module + `/query"`, "query/a.go": `package query`,
		}, []rule{ruleImport, ruleStranger}},
		{"strangers through a third", map[string]string{
			"query/a.go":  `package query; import _ "` + module + `/entity"`,
			"entity/a.go": `package entity; import _ "` + module + `/tx"`,
		}, []rule{ruleImport, ruleStranger}},
		{"what is no part of the module", map[string]string{
			"internal/other/go.mod": "module other", "internal/other/a.go": `package other; import _ "example.com/x"`,
			"keys/testdata/a.go": `package a; import "C"`, ".hidden/a.go": `package hidden`, "keys/_a.go": `package keys; import "C"`,
		}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tree := fstest.MapFS{}
			for name, src := range test.tree {
				tree[name] = &fstest.MapFile{Data: []byte(src)}
			}
			files, err := load(tree)
			require.NoError(t, err)
			var got []rule
			for _, v := range check(rooms, files) {
				got = append(got, v.rule)
			}
			require.ElementsMatch(t, test.want, got)
		})
	}
}

// TestUnreadableSource checks that load returns an error for a file that it cannot parse.
func TestUnreadableSource(t *testing.T) {
	t.Parallel()
	_, err := load(fstest.MapFS{"keys/a.go": {Data: []byte("pakage keys")}})
	require.Error(t, err)
}
