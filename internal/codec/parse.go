package codec

import "time"

// literal is the text of a number, in a string or in a response.
type literal interface{ ~string | ~[]byte }

// setShort sets a number from a text of a few digits. It returns false for any other text or kind.
func setShort[T literal](n *Node, text T, p Ptr) bool {
	switch n.Kind {
	case KindInt:
		x, ok := parseInt(text, n.Bits)
		if ok {
			p.setInt(n.Bits, x)
		}
		return ok
	case KindUint:
		x, ok := parseInt(text, 64)
		if ok = ok && text[0] != '-' && (n.Bits == 64 || x < 1<<n.Bits); ok {
			p.setUint(n.Bits, uint64(x))
		}
		return ok
	case KindFloat:
		x, ok := parseFloat(text, n.Bits)
		if ok {
			p.setFloat(n.Bits, x)
		}
		return ok
	default:
		return false
	}
}

// parseInt parses a decimal integer of at most 18 digits, as strconv.ParseInt does. It returns
// false for any other text, and for one that does not fit.
func parseInt[T literal](text T, bits uint8) (x int64, ok bool) {
	i := 0
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	if len(text) == i || len(text) > 18+i {
		return 0, false
	}
	for k := i; k < len(text); k++ {
		c := text[k]
		if c < '0' || c > '9' {
			return 0, false
		}
		x = 10*x + int64(c-'0')
	}
	if i == 1 {
		x = -x
	}
	return x, bits == 64 || x>>(bits-1) == x>>63
}

// Powers of ten that float64 and float32 hold exactly.
var (
	tens64 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
	tens32 = [...]float32{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}
)

// parseFloat parses a decimal of at most 15 digits, for 32 bits of at most 7, without an exponent.
// The digits and the power of ten are exact, so their quotient is rounded as strconv.ParseFloat
// rounds. It returns false for any other text.
func parseFloat[T literal](text T, bits uint8) (x float64, ok bool) {
	limit := len(tens64) - 1
	if bits == 32 {
		limit = len(tens32) - 1
	}
	i := 0
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	var digits int64
	count, point := 0, -1
	for k := i; k < len(text); k++ {
		switch c := text[k]; {
		case '0' <= c && c <= '9':
			digits = 10*digits + int64(c-'0')
			count++
		case c == '.' && point < 0:
			point = count
		default:
			return 0, false
		}
		if count > limit {
			return 0, false
		}
	}
	if count == 0 {
		return 0, false
	}
	if point < 0 {
		point = count
	}
	if bits == 32 {
		x = float64(float32(digits) / tens32[count-point])
	} else {
		x = float64(digits) / tens64[count-point]
	}
	if i == 1 {
		x = -x
	}
	return x, true
}

// parseUTC parses a time such as 2026-08-01T09:30:00Z, with or without a fraction of at most 9
// digits. It returns false for any other text.
func parseUTC[T literal](text T) (t time.Time, ok bool) {
	const seconds = len("2026-08-01T09:30:00")
	last := len(text) - 1
	if last < seconds || last > seconds+10 || last == seconds+1 || text[last] != 'Z' ||
		text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' {
		return time.Time{}, false
	}
	year := 100*twoDigits(text[0], text[1]) + twoDigits(text[2], text[3])
	month, day := twoDigits(text[5], text[6]), twoDigits(text[8], text[9])
	hour, minute, second := twoDigits(text[11], text[12]), twoDigits(text[14], text[15]), twoDigits(text[17], text[18])
	if year < 0 || twoDigits(text[2], text[3]) < 0 || month < 1 || month > 12 || day < 1 || day > 28 && day > daysIn(year, month) ||
		hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return time.Time{}, false
	}
	nanos := 0
	if last > seconds {
		if text[seconds] != '.' {
			return time.Time{}, false
		}
		for i := seconds + 1; i < seconds+10; i++ {
			nanos *= 10
			if i < last {
				if text[i] < '0' || text[i] > '9' {
					return time.Time{}, false
				}
				nanos += int(text[i] - '0')
			}
		}
	}
	seconds1970 := int64(86400*daysSince1970(year, month, day) + 3600*hour + 60*minute + second)
	return time.Unix(seconds1970, int64(nanos)).UTC(), true
}

// twoDigits returns the number of two digits, or a negative number if they are not digits.
func twoDigits(tens, ones byte) int {
	tens, ones = tens-'0', ones-'0'
	if tens > 9 || ones > 9 {
		return -1_000_000
	}
	return 10*int(tens) + int(ones)
}

// daysIn returns the number of days of a month.
func daysIn(year, month int) int {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	default:
		return 30 + (month+month/8)%2
	}
}

// daysSince1970 returns the number of days from 1970-01-01 to a date in the years 0 to 9999. Years
// are counted from March, so that the leap day is the last day.
func daysSince1970(year, month, day int) int {
	const until1970 = 719468 + 146097 // from March of the year -400
	year += 400
	if month -= 3; month < 0 {
		month += 12
		year--
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month+2)/5 + day - 1 - until1970
}
