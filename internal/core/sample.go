package core

import (
	"strconv"
	"strings"
	"time"

	"github.com/trestledb/trestle/keys"
)

// samples are values of each kind. They must never change, because schema descriptions contain the
// texts that formats produce for them.
var samples = map[keys.Kind][]keys.Value{
	keys.KindText:  {keys.Text("a"), keys.Text("Sample 42"), keys.Text("ÄÖ#é")},
	keys.KindInt:   {keys.Int(1), keys.Int(1234567), keys.Int(-7)},
	keys.KindUint:  {keys.Uint(1), keys.Uint(1234567)},
	keys.KindFloat: {keys.Float(1), keys.Float(1234.5), keys.Float(-0.25)},
	keys.KindTime: {
		keys.Time(time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)), keys.Time(time.Date(2001, 12, 31, 23, 59, 58, 123456789, time.UTC)),
	},
	keys.KindBool:  {keys.Bool(false), keys.Bool(true)},
	keys.KindBytes: {keys.Bytes([]byte("a")), keys.Bytes([]byte{0, 1, 255})},
}

// SampleText returns the texts that a table's own format produces for some values of a kind, each
// after a space. It distinguishes formats of the same name.
func SampleText(f keys.Format, kind keys.Kind) string {
	var b strings.Builder
	for _, v := range samples[kind] {
		b.WriteByte(' ')
		if text, ok := written(f, v); ok {
			b.WriteString(strconv.Quote(text))
		} else {
			b.WriteString("refused")
		}
	}
	return b.String()
}

// written returns the text of a value in a format. Formats are the caller's code. written returns
// false if the format returns an error or panics.
func written(f keys.Format, v keys.Value) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	text, err := f.Encode(v)
	return text, err == nil
}
