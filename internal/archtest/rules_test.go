package archtest

import (
	"path"
	"slices"
	"strings"
)

// rule is the text of a rule, for reports of violations.
type rule string

const (
	ruleRoom     rule = "every package has a line in the table"
	ruleImport   rule = "a room imports only the rooms of its line"
	ruleForeign  rule = "foreign packages are the SDK's, and in tests the test libraries"
	ruleUnsafe   rule = "unsafe is for one file of the room that may use it"
	ruleTesting  rule = "testing is for tests and their support"
	ruleEnv      rule = "the environment is read by test support and programs only"
	ruleStranger rule = "these two never see each other"
)

// violation is one import or one call that a rule forbids.
type violation struct {
	rule rule
	at   string // the file
	what string // what it imports or does
}

// check returns all violations in the order of the files.
func check(rooms []room, files []file) []violation {
	var found []violation
	unsafeIn := map[string]string{} // room to the file that uses unsafe
	for _, f := range files {
		at := path.Join(f.dir, f.name)
		r, ok := roomOf(rooms, f.dir)
		if !ok {
			found = append(found, violation{ruleRoom, at, f.dir})
			continue
		}
		for _, imported := range f.imports {
			if broken, ok := checkImport(rooms, r, f, imported); !ok {
				found = append(found, violation{broken, at, imported})
			}
			if imported == "unsafe" && !f.test {
				if first := unsafeIn[r.pattern]; first != "" {
					found = append(found, violation{ruleUnsafe, at, imported + ", as does " + first})
				}
				unsafeIn[r.pattern] = at
			}
		}
		if f.readsEnv && !f.test && r.powers&env == 0 {
			found = append(found, violation{ruleEnv, at, "reads the environment"})
		}
	}
	return append(found, checkStrangers(files)...)
}

// checkImport returns the rule that applies to an import of a file in a room, and whether the rule
// allows the import.
func checkImport(rooms []room, r room, f file, imported string) (rule, bool) {
	switch dir, ours := within(imported); {
	case ours:
		_, known := roomOf(rooms, dir)
		return ruleImport, known && (f.test || slices.Contains(strings.Fields(r.imports), dir))
	case imported == "C":
		return ruleForeign, false
	case imported == "unsafe":
		return ruleUnsafe, f.test || r.powers&useUnsafe != 0
	case below(imported, "testing"):
		return ruleTesting, f.test || r.powers&testingT != 0
	case standard(imported):
		return "", true
	default:
		sdkAllowed := f.test || r.powers&sdk != 0
		return ruleForeign, sdkAllowed && belowAny(imported, sdkPackages) || f.test && belowAny(imported, testPackages)
	}
}

// checkStrangers checks the imports of non-test code for paths between strangers.
func checkStrangers(files []file) []violation {
	graph := map[string][]string{}
	for _, f := range files {
		for _, imported := range f.imports {
			if dir, ours := within(imported); ours && !f.test {
				graph[f.dir] = append(graph[f.dir], dir)
			}
		}
	}
	var found []violation
	for _, pair := range strangers {
		for _, way := range [][2]string{pair, {pair[1], pair[0]}} {
			if reaches(graph, way[0], way[1]) {
				found = append(found, violation{ruleStranger, way[0], way[1]})
			}
		}
	}
	return found
}

// reaches reports whether a path of imports leads from one room to another.
func reaches(graph map[string][]string, from, to string) bool {
	seen := map[string]bool{}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, next := range graph[queue[0]] {
			if next == to {
				return true
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

// roomOf returns the line of a folder: its own line, or else the longest pattern dir/... above it.
func roomOf(rooms []room, dir string) (room, bool) {
	var best room
	found := false
	for _, r := range rooms {
		base, tree := strings.CutSuffix(r.pattern, "/...")
		switch {
		case r.pattern == dir:
			return r, true
		case tree && below(dir, base) && len(r.pattern) > len(best.pattern):
			best, found = r, true
		}
	}
	return best, found
}

// within returns the folder of an imported package of this module.
func within(imported string) (dir string, ours bool) {
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}

// standard reports whether an import path is in the standard library. Only there the first path
// element has no dot.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

func below(name, base string) bool { return name == base || strings.HasPrefix(name, base+"/") }

func belowAny(name string, bases []string) bool {
	return slices.ContainsFunc(bases, func(base string) bool { return below(name, base) })
}
