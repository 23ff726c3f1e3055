package recording

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Divergence is a reply that differs from the recorded one.
type Divergence struct {
	Line      int // line number in the recording
	Operation string
	Want, Got string // status and body, with their values
}

// Error reports where the replies differ. It contains no value of them.
func (d *Divergence) Error() string {
	prefix := fmt.Sprintf("ddbtest: line %d of the recording: another reply to %s", d.Line, d.Operation)
	want, got := parseReply(d.Want), parseReply(d.Got)
	if want.status != got.status {
		return fmt.Sprintf("%s: want %s, got %s", prefix, want.status, got.status)
	}
	return prefix + ": they differ" + difference("", want.body, got.body)
}

// parsedReply is a reply in the form that a divergence reports.
type parsedReply struct {
	status string // with the code of an error
	body   any
}

func parseReply(reply string) parsedReply {
	status, body, _ := strings.Cut(reply, " ")
	r := parsedReply{status: status}
	_ = json.Unmarshal([]byte(body), &r.body)
	if members, ok := r.body.(map[string]any); ok {
		if code, ok := members["__type"].(string); ok {
			r.status += " " + code[strings.LastIndex(code, "#")+1:]
		}
	}
	return r
}

// difference returns where two bodies begin to differ, below the path.
func difference(path string, want, got any) string {
	at := ""
	if path != "" {
		at = " at " + path
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return at
		}
		names := maps.Clone(w)
		maps.Copy(names, g)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if !reflect.DeepEqual(w[name], g[name]) {
				return difference(strings.TrimPrefix(path+"."+name, "."), w[name], g[name])
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok {
			return at
		}
		for i := range min(len(w), len(g)) {
			if !reflect.DeepEqual(w[i], g[i]) {
				return difference(fmt.Sprintf("%s[%d]", path, i), w[i], g[i])
			}
		}
		return fmt.Sprintf("%s in length: want %d, got %d", at, len(w), len(g))
	}
	return at
}
