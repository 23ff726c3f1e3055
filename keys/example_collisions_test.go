package keys_test

import (
	"errors"
	"fmt"

	"github.com/trestledb/trestle/keys"
)

// Values that contain the delimiter do not collide, and a key parses back to its values.
func ExampleTemplate_Parse() {
	grades, err := keys.Compile("GRADE#<student>#<course>", keys.Options{})
	fmt.Println(err)

	one, _ := grades.Render(keys.Text("1#b"), keys.Text("3"))
	two, _ := grades.Render(keys.Text("1"), keys.Text("b#3"))
	fmt.Println(one)
	fmt.Println(two)

	values, err := grades.Parse(two)
	fmt.Println(values[0].Text(), values[1].Text(), err)

	_, err = grades.Parse("GRADE#1#b#3")
	fmt.Println(errors.Is(err, keys.ErrForeign))
	// Output:
	// <nil>
	// GRADE#1$Hb#3
	// GRADE#1#b$H3
	// 1 b#3 <nil>
	// true
}

// Overlap reports whether items of two types can clash, and returns example keys.
func ExampleOverlap() {
	compile := func(text string) *keys.Template {
		t, err := keys.Compile(text, keys.Options{})
		if err != nil {
			fmt.Println(err)
		}
		return t
	}
	users := keys.Pair{Partition: compile("ORG#<org>"), Sort: compile("USER#<name>")}
	roles := keys.Pair{Partition: compile("ORG#<org>"), Sort: compile("USER#<name>#<role>")}
	teams := keys.Pair{Partition: compile("ORG#<org>"), Sort: compile("TEAM#<name>")}

	clash, found := keys.Overlap(users, roles)
	fmt.Println(found, clash.KeyB, "lies where queries of users read:", clash.Query.Contains(clash.KeyB))

	_, found = keys.Overlap(users, teams)
	fmt.Println(found)
	// Output:
	// true USER#a#a lies where queries of users read: true
	// false
}
