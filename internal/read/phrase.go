package read

// phrase builds a text. Most texts are short and in phrases, and need no allocation.
type phrase struct {
	short [96]byte
	n     int
	more  string // the part that does not fit in short
}

func (p *phrase) add(text string) {
	if p.more == "" && p.n+len(text) <= len(p.short) {
		p.n += copy(p.short[p.n:], text)
		return
	}
	p.more += text
}

func (p *phrase) empty() bool { return p.n == 0 && p.more == "" }

// text returns the whole text.
func (p *phrase) text() string {
	if known, ok := phrases[string(p.short[:p.n])]; ok && p.more == "" {
		return known
	}
	return string(p.short[:p.n]) + p.more
}

// phrases are the key conditions of nearly all reads.
var phrases = known(
	"#n0 = :v0", "#n0 = :v0 AND #n1 = :v1", "#n0 = :v0 AND begins_with(#n1, :v1)", "#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2",
	"#n0 = :v0 AND #n1 >= :v1", "#n0 = :v0 AND #n1 <= :v1", "#n0 = :v0 AND #n1 > :v1", "#n0 = :v0 AND #n1 < :v1",
)

func known(texts ...string) map[string]string {
	m := make(map[string]string, len(texts))
	for _, text := range texts {
		m[text] = text
	}
	return m
}
