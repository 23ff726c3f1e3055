package differential

import (
	"math/big"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The pools hold few values, in ascending order, so that they often collide: prefixes of each
// other, multi-byte characters, both ends of a range.
var (
	keyTexts    = []string{"a", "a#", "ab", "abc", "b", "z", "é", "éa", "日本", "😀"}
	keyBinaries = []string{"\x00", "\x00\x00", "\x00\xff", "\x01", "a", "\x7f", "\xff", "\xff\x00", "\xff\xff"}
	numbers     = []string{
		"-99999999999999999999999999999999999999", "-10", "-9", "-1.5", "-0.0000000001", "0", "0.0000000001", "0.5", "1", "1.5", "2", "9", "10", "100",
		"12345678901234567890123456789012345678", "12345678901234567890123456789012345679",
	}
	smallNumbers = []string{"-2", "-1", "-0.5", "0", "0.1", "0.5", "1", "1.5", "2", "3"}
	// summands have exact sums that no float can represent.
	summands = []string{"-2", "-0.5", "0.1", "0.0000000001", "1", "3", "12345678901234567890", "-12345678901234567890"}
)

// attribute is a name and the usual type of its values.
type attribute struct{ name, kind string }

// attributes are the non-key attributes. Some names need a placeholder.
var attributes = []attribute{
	{"s1", "S"},
	{"s2", "S"},
	{"n1", "N"},
	{"n2", "N"},
	{"b1", "B"},
	{"ss", "SS"},
	{"ns", "NS"},
	{"bs", "BS"},
	{"m", "M"},
	{"l", "L"},
	{"t", "BOOL"},
	{"u", "NULL"},
	{"name", "S"},
	{"a.b", "N"},
	{"é-é", "S"},
}

// padName holds long strings, which make an item cost more than one unit. Their lengths keep the
// size of an item away from multiples of a unit, even if an engine adds 100 bytes for an index
// entry.
const padName = "pad"

var (
	padLengths   = []int{600, 600 + 1024, 600 + 4096}
	largeLengths = []int{600 + 200*1024, 600 + 300*1024, 600 + 380*1024}
)

var kinds = []string{"S", "N", "B", "SS", "NS", "BS", "M", "L", "BOOL", "NULL"}

// kindOf returns the usual type of a non-key attribute.
func kindOf(name string) string {
	for _, a := range attributes {
		if a.name == name {
			return a.kind
		}
	}
	return "S"
}

// keyValue returns a key value of that type. A number may have any spelling.
func (g *generator) keyValue(kind string) value {
	switch kind {
	case "N":
		return number(g.spell(pick(g, numbers)))
	case "B":
		return binary(pick(g, keyBinaries))
	default:
		return text(pick(g, keyTexts))
	}
}

// hashValue returns one of few partition key values, so that item collections grow.
func (g *generator) hashValue(kind string) value {
	i := g.IntN(3)
	if g.large {
		i = 0
	}
	switch kind {
	case "N":
		return number(g.spell(numbers[7+i]))
	case "B":
		return binary(keyBinaries[i])
	default:
		return text(keyTexts[i])
	}
}

// spell sometimes returns another spelling of a plain number.
func (g *generator) spell(plain string) string {
	if !g.chance(0.3) {
		return plain
	}
	digits, negative := strings.CutPrefix(plain, "-")
	sign := ""
	if negative {
		sign = "-"
	}
	hasPoint := strings.Contains(digits, ".")
	switch g.IntN(5) {
	case 0:
		return sign + "00" + digits
	case 1:
		return sign + digits + "e0"
	case 2:
		return sign + digits + "E+00"
	case 3:
		if hasPoint {
			return sign + digits + "00"
		}
		return sign + digits + ".0"
	default:
		if hasPoint {
			return sign + strings.TrimPrefix(digits, "0")
		}
		return sign + digits + "0E-1"
	}
}

// value returns a non-key value of that type. Numbers are plain, for engines that keep the
// spelling.
func (g *generator) value(kind string) value {
	if g.few && g.chance(0.6) {
		switch kind {
		case "S":
			return text(pick(g, keyTexts[:3]))
		case "N":
			return number(pick(g, smallNumbers[3:6]))
		case "B":
			return binary(pick(g, keyBinaries[:3]))
		case "L":
			return list(number("1"))
		case "SS":
			return textSet("a", "ab")
		}
	}
	switch kind {
	case "S":
		if g.chance(0.1) {
			return text("")
		}
		return text(pick(g, keyTexts))
	case "N":
		if g.chance(0.2) {
			return number(pick(g, numbers))
		}
		return number(pick(g, smallNumbers))
	case "B":
		if g.chance(0.1) {
			return binary("")
		}
		return binary(pick(g, keyBinaries))
	case "BOOL":
		return boolean(g.chance(0.5))
	case "NULL":
		return null()
	case "M":
		return g.mapping()
	case "L":
		return g.list()
	default:
		return g.set(kind)
	}
}

func (g *generator) set(kind string) value {
	switch kind {
	case "SS":
		return textSet(g.some(keyTexts, 4)...)
	case "NS":
		return numberSet(g.some(smallNumbers, 4)...)
	default:
		var elements [][]byte
		for _, e := range g.some(keyBinaries, 3) {
			elements = append(elements, []byte(e))
		}
		return binarySet(elements...)
	}
}

// some returns 1 to most different elements of a pool.
func (g *generator) some(pool []string, most int) []string {
	chosen := make([]string, 0, most)
	for _, i := range g.Perm(len(pool))[:1+g.IntN(most)] {
		chosen = append(chosen, pool[i])
	}
	return chosen
}

func (g *generator) mapping() value {
	members := item{}
	maybe := func(name string, p float64, v func() value) {
		if g.chance(p) {
			members[name] = v()
		}
	}
	maybe("x", 0.7, func() value { return g.value("N") })
	maybe("y", 0.6, func() value { return g.value("S") })
	maybe("size", 0.3, func() value { return g.value("N") })
	maybe("ss", 0.2, func() value { return g.set("SS") })
	maybe("d", 0.4, func() value {
		return mapping(item{"x": g.value("N"), "l": list(g.value("N"), g.value("S"))})
	})
	return mapping(members)
}

func (g *generator) list() value {
	var elements []value
	for range g.IntN(5) {
		elements = append(elements, g.value(pick(g, []string{"N", "N", "N", "S", "BOOL"})))
	}
	if g.chance(0.2) {
		elements = append(elements, mapping(item{"x": g.value("N")}))
	}
	return list(elements...)
}

// less orders two values of the same type from a pool.
func less(a, b value) bool {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		b, ok := b.(*types.AttributeValueMemberS)
		return ok && a.Value < b.Value
	case *types.AttributeValueMemberB:
		b, ok := b.(*types.AttributeValueMemberB)
		return ok && string(a.Value) < string(b.Value)
	case *types.AttributeValueMemberN:
		b, ok := b.(*types.AttributeValueMemberN)
		return ok && lessNumber(a.Value, b.Value)
	default:
		return false
	}
}

// lessNumber orders two numbers exactly.
func lessNumber(a, b string) bool {
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) < 0
}

// pad returns a string of that length.
func pad(length int) value { return text(strings.Repeat("p", length)) }
