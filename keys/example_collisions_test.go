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
	fmt.Println(errors.Is(err, keys.ErrMismatch))
	// Output:
	// <nil>
	// GRADE#1$Hb#3
	// GRADE#1#b$H3
	// 1 b#3 <nil>
	// true
}
