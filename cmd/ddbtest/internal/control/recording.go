package control

import (
	"bytes"
	"net/http"
)

var recordingRoutes = []Route{
	{Method: http.MethodGet, Path: "/recording", handle: downloadRecording},
	act("/recording", saveRecording),
}

// RecordingFile is where a recording was written.
type RecordingFile struct {
	File string `json:"file"`
}

func checkRecording(c *call) error {
	if c.db.RecordingFile == "" {
		return fail(http.StatusConflict, "", "requests are not recorded", "start ddbtest with -record FILE")
	}
	return nil
}

func downloadRecording(c *call) (any, error) {
	if err := checkRecording(c); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := c.db.DB.WriteRecording(&b); err != nil {
		return nil, err
	}
	name := c.db.Key.AccessKey + "." + c.db.Key.Region + ".jsonl"
	return file{contentType: "application/jsonl", name: name, content: b.Bytes()}, nil
}

func saveRecording(c *call) (RecordingFile, error) {
	if err := checkRecording(c); err != nil {
		return RecordingFile{}, err
	}
	return RecordingFile{c.db.RecordingFile}, c.db.SaveRecording()
}
