//go:build !race

package query_test

const raced = false
