package keys_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/trestledb/trestle/keys"
)

// Compile reports all mistakes of a template at once.
func ExampleCompile() {
	kinds := map[string]keys.Kind{"at": keys.KindTime, "seq": keys.KindInt}
	_, err := keys.Compile("EVENT#<at>#<seq:8>#<sequence>", keys.Options{
		Kind: func(field string) (keys.Kind, bool) { kind, ok := kinds[field]; return kind, ok },
	})
	var issues keys.Issues
	if errors.As(err, &issues) {
		for _, issue := range issues {
			fmt.Printf("%s: %s\n", issue.Text, issue.Reason)
		}
	}
	// Output:
	// <at>: a time needs a format to sort
	// <seq:8>: the format is not known
	// <sequence>: no field with that name can be in a key
}

// Layout makes a format from a time layout, for tables whose keys already contain such times.
func ExampleLayout() {
	compact, err := keys.Layout("20060102")
	fmt.Println(err)
	events, err := keys.Compile("EVENT#<at:compact>", keys.Options{
		Formats: map[string]keys.Format{"compact": compact},
		Kind:    func(string) (keys.Kind, bool) { return keys.KindTime, true },
	})
	fmt.Println(err)
	key, err := events.Render(keys.Time(time.Date(2026, 8, 1, 9, 30, 0, 0, time.UTC)))
	fmt.Println(key, err)

	_, err = keys.Layout("02.01.2006")
	fmt.Println(err)
	// Output:
	// <nil>
	// <nil>
	// EVENT#20260801 <nil>
	// keys: layout "02.01.2006": texts of the layout do not sort as their times do; write the year first, and smaller units in order
}
