package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// version is that of the form of recordings.
const version = 2

// header is the first line of a recording.
type header struct {
	Version int `json:"ddbtestRecording"`
	Options any `json:"options"`
}

// readHeader decodes the options of a recording. It fails if the text is no recording.
func readHeader(d *json.Decoder, options any) error {
	var line json.RawMessage
	if err := d.Decode(&line); err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			return errNoRecording("it is empty")
		case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF):
			return errNoRecording("its first line is not JSON")
		}
		return fmt.Errorf("ddbtest: read the first line of the recording: %w", err)
	}
	var found struct {
		Version *int            `json:"ddbtestRecording"`
		Options json.RawMessage `json:"options"`
	}
	switch err := json.Unmarshal(line, &found); {
	case err != nil || found.Version == nil:
		return errNoRecording(describe(line))
	case *found.Version != version:
		return fmt.Errorf("ddbtest: the recording has the form %d, but this version of ddbtest reads the form %d: record again", *found.Version, version)
	}
	if err := json.Unmarshal(found.Options, options); err != nil {
		return fmt.Errorf("ddbtest: read the options of the recording: %w", withoutContent(err))
	}
	return nil
}

// errNoRecording returns the error for a text that is something else.
func errNoRecording(what string) error {
	return fmt.Errorf(`ddbtest: this is not a recording: %s: a recording begins with {"ddbtestRecording":%d, and is written by DB.WriteRecording `+
		"or by the command ddbtest with -record", what, version)
}

// describe says what the JSON of a first line is, if not that of a recording.
func describe(line json.RawMessage) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil {
		return "its first line is not a JSON object"
	}
	for _, known := range []struct{ member, what string }{
		{"tables", "it has tables and items, as a file for the option -load"},
		{"items", "it has tables and items, as a file for the option -load"},
		{"TableName", "it defines a table"},
		{"Items", "it has items, as the reply of a scan"},
		{"kind", "its first line is missing"},
	} {
		if _, ok := members[known.member]; ok {
			return known.what
		}
	}
	return "its first line is another JSON object"
}
