package fetch

import (
	"slices"

	"github.com/trestledb/trestle/internal/core"
)

// everyPlace lists the requests of a batch read with one request for each key under which an item
// may be. It returns the index of the original request for each.
func everyPlace(keys []KeyRequest) (all []KeyRequest, of []int) {
	for i, k := range keys {
		all, of = append(all, k), append(of, i)
		for _, key := range k.Elsewhere {
			k.Key = key
			all, of = append(all, k), append(of, i)
		}
	}
	return all, of
}

// hasPlaces reports whether an item of a batch read may be under several keys.
func hasPlaces(keys []KeyRequest) bool {
	return slices.ContainsFunc(keys, func(k KeyRequest) bool { return len(k.Elsewhere) > 0 })
}

// takeOf returns take for requests of [everyPlace], and the original requests whose item it took.
func takeOf(of []int, take func(i int, row core.Row) error) (func(int, core.Row) error, map[int]bool) {
	taken := map[int]bool{}
	return func(i int, row core.Row) error {
		err := take(of[i], row)
		taken[of[i]] = taken[of[i]] || err == nil
		return err
	}, taken
}

// leftOf returns the original requests of those that were not read, except those whose item was
// taken.
func leftOf(left, of []int, taken map[int]bool) (all []int) {
	for _, i := range left {
		if o := of[i]; !taken[o] && !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	return all
}
