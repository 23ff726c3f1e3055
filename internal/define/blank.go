package define

import (
	"strings"
	"unicode"
)

// blank returns white space of the same width as text in a monospaced font.
func blank(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t':
			b.WriteRune(r)
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf): // they combine with the rune before
		case unicode.In(r, wide):
			b.WriteString("  ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// wide lists the runes that are two columns wide: East Asian characters and emoji.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{{0x1100, 0x115F, 1}, {0x2E80, 0xA4CF, 1}, {0xAC00, 0xD7A3, 1}, {0xF900, 0xFAFF, 1}, {0xFE30, 0xFE6F, 1}, {0xFF01, 0xFF60, 1}, {0xFFE0, 0xFFE6, 1}},
	R32: []unicode.Range32{{0x1F300, 0x1FAFF, 1}, {0x20000, 0x3FFFD, 1}},
}
