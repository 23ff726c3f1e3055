package btree_test

import (
	"fmt"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
)

func Example_snapshot() {
	var prices btree.Tree[int]
	prices.Set("apple", 3)
	prices.Set("pear", 4)

	before := prices.Clone() // costs the same for two keys and for two million
	prices.Set("plum", 2)
	prices.Delete("apple")

	for name, price := range prices.From("") {
		fmt.Println("now:", name, price)
	}
	for name, price := range before.Before("plum") {
		fmt.Println("before:", name, price)
	}
	// Output:
	// now: pear 4
	// now: plum 2
	// before: pear 4
	// before: apple 3
}
