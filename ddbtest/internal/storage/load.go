package storage

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// load returns the state and the clock whose entries a storage passes to its argument, in ascending
// order of the keys.
func load(entries func(each func(key, value []byte) error) error) (*store.State, clockState, error) {
	l := &loader{state: store.NewState(), streams: map[string]*store.Stream{}}
	if err := entries(l.add); err != nil {
		return nil, clockState{}, err
	}
	if !l.hasState && (len(l.state.Tables) > 0 || len(l.streams) > 0 || l.state.Tokens.Len() > 0) {
		return nil, clockState{}, errors.New("the storage lacks the entry of the state")
	}
	for arn, st := range l.streams { // after all items, whose changes are no new records
		if !validStream(l.state, st) {
			return nil, clockState{}, errDamaged("stream " + shown(arn))
		}
		l.state.AddStream(st)
	}
	return l.state, l.clock, nil
}

type loader struct {
	state    *store.State
	hasState bool
	clock    clockState
	streams  map[string]*store.Stream
}

// add adds an entry. Its errors do not contain the value.
func (l *loader) add(key, value []byte) error {
	kind, parts := parseKey(key)
	switch kind {
	case stateKind:
		var f stateForm
		if err := decode(value, &f, "the state"); err != nil {
			return err
		}
		if f.Sequence < 0 || len(key) > len(stateKind) {
			return errDamaged("the state")
		}
		l.hasState = true
		l.state.Sequence, l.state.Now = uint64(f.Sequence), timeOf(f.Now)
		l.clock = clockState{time.Duration(f.Advanced), timeOf(f.Clock)}
	case tableKind:
		var f tableForm
		if err := decode(value, &f, "table "+shown(parts[0])); err != nil {
			return err
		}
		t := f.table()
		if t.Name != parts[0] || !validTable(t) {
			return errDamaged("table " + shown(parts[0]))
		}
		l.state.AddTable(t)
	case itemKind:
		return l.addItem(parts[0], parts[1], value)
	case streamKind:
		var f streamForm
		if err := decode(value, &f, "stream "+shown(parts[0])); err != nil {
			return err
		}
		if f.ARN != parts[0] {
			return errDamaged("stream " + shown(parts[0]))
		}
		l.streams[f.ARN] = f.stream()
	case recordKind:
		return l.addRecord(parts[0], parts[1], value)
	case tokenKind:
		var f tokenForm
		if err := decode(value, &f, "a transaction token"); err != nil {
			return err
		}
		fingerprint, err := hex.DecodeString(f.Fingerprint)
		if err != nil || !store.IsTokenKey(parts[0]) {
			return errDamaged("a transaction token")
		}
		l.state.Tokens.Set(parts[0], store.Token{Fingerprint: string(fingerprint), Done: timeOf(f.Done)})
	default:
		return errors.New("the storage has an entry of an unknown kind: a newer version of ddbtest wrote it, or another program")
	}
	return nil
}

func (l *loader) addItem(table, place string, value []byte) error {
	t := l.state.Tables[table]
	if t == nil {
		return fmt.Errorf("the storage has an item of table %s, but not the table", shown(table))
	}
	var f itemForm
	if err := decode(value, &f, "an item of table "+shown(table)); err != nil {
		return err
	}
	if !t.Key.Holds(f.Item) || t.Key.Place(f.Item) != place {
		return fmt.Errorf("the storage has an item of table %s without its key", shown(table))
	}
	l.state.Put(t, f.Item)
	return nil
}

func (l *loader) addRecord(arn, sequence string, value []byte) error {
	st := l.streams[arn]
	if st == nil || len(sequence) != 8 {
		return fmt.Errorf("the storage has a record of stream %s, but not the stream", shown(arn))
	}
	var f recordForm
	if err := decode(value, &f, "a record of stream "+shown(arn)); err != nil {
		return err
	}
	n := binary.BigEndian.Uint64([]byte(sequence))
	c := store.Change{Sequence: n, At: timeOf(f.At), Old: f.Old, New: f.New, Expired: f.Expired}
	if !validRecord(st, c) {
		return errDamaged("a record of stream " + shown(arn))
	}
	st.Records.Set(sequence, c)
	return nil
}

// decode decodes the value of an entry.
func decode(value []byte, form any, what string) error {
	if wire.Decode(value, form) != nil { // its error may contain the value
		return errDamaged(what)
	}
	return nil
}

// shown returns the name of a table, or the ARN of a stream, in the key of an entry. If the key is
// damaged, the name may contain the key of an item, which no error shows.
func shown(name string) string {
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' {
			return "(damaged name)"
		}
	}
	return name
}

func errDamaged(what string) error { return fmt.Errorf("the storage has a damaged entry of %s", what) }
