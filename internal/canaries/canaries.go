// Package canaries tells whether a text holds a value that it must not: values are canaries, whatever gets into a log is printed in every way
// there is, and none of it may sing.
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

// What stands in every value.
const (
	Text   = "CANARY"
	Number = 731629931
)

// forms are the canaries as they look when they are printed: as they are, in base64 at each place, in hexadecimal, and as Go writes bytes.
var forms = []string{
	Text, "Q0FOQVJZ", "DQU5BUl", "NBTkFSW", "43414e415259", "43414E415259", "67 65 78 65 82 89", "0x43, 0x41, 0x4e", "731629931", "7.31629931",
}

// In reports whether a text holds a canary.
func In(text string) bool {
	for _, form := range forms {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

// prints are all the ways in which something gets into a log.
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

// wrappings are what callers do with an error before they print it.
func wrappings(err error) map[string]any {
	return map[string]any{
		"itself": err, "joined": errors.Join(io.EOF, err), "wrapped": fmt.Errorf("call: %w", err), "in a struct": struct{ Err error }{err},
		"in a hidden field": struct{ err error }{err}, "in a list": []error{err}, "in a map": map[string]error{"err": err},
	}
}

// Printed prints something in every way, and tells the first that holds a canary; empty: none does.
func Printed(v any) string {
	for formatter, text := range prints(v) {
		if In(text) {
			return formatter + ": " + text
		}
	}
	return ""
}

// Failed is Printed, of an error and of whatever callers make of one.
func Failed(err error) string {
	for how, v := range wrappings(err) {
		if sung := Printed(v); sung != "" {
			return how + ", " + sung
		}
	}
	return ""
}
