package check_test

import (
	"strings"
	"testing"

	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

func TestSizeOfAnItem(t *testing.T) {
	t.Parallel()
	const tooLarge, updatedTooLarge = "Item size has exceeded the maximum allowed size", "Item size to update has exceeded the maximum allowed size"
	for over, want := range map[int][2]string{-1: {}, 0: {}, 1: {tooLarge, updatedTooLarge}} {
		for _, item := range []value.Map{
			value.MapOf(attr("pk", text(check.MaxItem-2+over))),
			value.MapOf(attr("pk", number(7)), attr("long", octets(check.MaxItem-8+over))),
			value.MapOf(attr("m", value.MapOf(attr("l", value.List{text(check.MaxItem - 10 + over)})))),
		} {
			wantMessage(t, want[0], check.Size(item))
			wantMessage(t, want[1], check.UpdatedSize(item))
		}
	}
}

func TestChargeOfAnUpdate(t *testing.T) {
	t.Parallel()
	wantMessage(t, "", check.Charge(check.MaxItem))
	wantMessage(t, "Item size to update has exceeded the maximum allowed size", check.Charge(check.MaxItem+1))
}

func TestSizeOfAName(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("n", check.MaxName)
	for name, want := range map[string]string{
		longest:       "",
		longest + "n": "Attribute name is too large, must be less than 65536 bytes",
	} {
		inner := value.MapOf(attr(name, value.Null{}))
		for _, item := range []value.Map{
			inner,
			value.MapOf(attr("a", text(1)), attr("m", inner)),
			value.MapOf(attr("l", value.List{value.Bool(true), value.List{inner}})),
		} {
			wantMessage(t, want, check.Size(item))
			wantMessage(t, want, check.UpdatedSize(item))
		}
	}
}
