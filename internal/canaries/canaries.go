// Package canaries checks that no log reveals the values of items. Tests put canary values into
// items, print each error and value in every usual way, and search the output for the canaries.
package canaries

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog" //nolint:depguard // what is logged is what is looked at
	"strings"
)

// The canaries. Each secret value contains one of them.
const (
	Text   = "CANARY"
	Number = 731629931
)

// forms are the canaries as they look in print: plain, in base64 at each of its three offsets, in
// hexadecimal, and as Go prints bytes.
var forms = []string{
	Text, "Q0FOQVJZ", "DQU5BUl", "NBTkFSW", "43414e415259", "43414E415259", "67 65 78 65 82 89", "0x43, 0x41, 0x4e", "731629931", "7.31629931",
}

// In reports whether a text contains a canary.
func In(text string) bool {
	for _, form := range forms {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

// prints returns v as the verbs of fmt, log/slog and encoding/json print it.
func prints(v any) map[string]string {
	out := map[string]string{}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		out[verb] = fmt.Sprintf(verb, v)
	}
	var b bytes.Buffer
	slog.New(slog.NewTextHandler(&b, nil)).Info("failed", "it", v, slog.Group("in", "it", v))
	out["slog text"] = b.String()
	b.Reset()
	slog.New(slog.NewJSONHandler(&b, nil)).Info("failed", "it", v, slog.Group("in", "it", v))
	out["slog JSON"] = b.String()
	text, _ := json.Marshal(v)
	out["JSON"] = string(text)
	return out
}

// wrappings returns err in the forms in which callers may print it.
func wrappings(err error) map[string]any {
	return map[string]any{
		"itself": err, "joined": errors.Join(io.EOF, err), "wrapped": fmt.Errorf("call: %w", err), "in a struct": struct{ Err error }{err},
		"in a hidden field": struct{ err error }{err}, "in a list": []error{err}, "in a map": map[string]error{"err": err},
	}
}

// Printed prints v in every way. It returns the first output that contains a canary, or "" if none
// does.
func Printed(v any) string {
	for formatter, text := range prints(v) {
		if In(text) {
			return formatter + ": " + text
		}
	}
	return ""
}

// Failed is like [Printed], but also prints err wrapped as callers may wrap it.
func Failed(err error) string {
	for how, v := range wrappings(err) {
		if sung := Printed(v); sung != "" {
			return how + ", " + sung
		}
	}
	return ""
}
