package storage

import (
	"encoding/hex"

	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// The functions of this file return the values of entries. Nothing has no entry.

func stateText(s *store.State, c clockState) []byte {
	return wire.Encode(&stateForm{Sequence: int64(s.Sequence), Now: formOfTime(s.Now), Advanced: int64(c.advanced), Clock: formOfTime(c.now)})
}

func tableText(t *store.Table) []byte {
	if t == nil {
		return nil
	}
	return wire.Encode(formOfTable(t))
}

func itemText(item *value.Map) []byte {
	if item == nil {
		return nil
	}
	return wire.Encode(&itemForm{*item})
}

func streamText(st *store.Stream) []byte {
	if st == nil {
		return nil
	}
	return wire.Encode(formOfStream(st))
}

func recordText(r *store.Change) []byte {
	if r == nil {
		return nil
	}
	return wire.Encode(&recordForm{At: formOfTime(r.At), Old: r.Old, New: r.New, Expired: r.Expired})
}

func tokenText(t *store.Token) []byte {
	if t == nil {
		return nil
	}
	return wire.Encode(&tokenForm{Fingerprint: hex.EncodeToString([]byte(t.Fingerprint)), Done: formOfTime(t.Done)})
}
