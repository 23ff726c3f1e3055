package jsonfile

import (
	"errors"
	"fmt"
)

// maxFaults is the most faults that are reported one by one.
const maxFaults = 10

// Faults collects what is wrong with files. Its texts contain no values.
type Faults struct {
	File string // the file that is read now

	list []error
	more int
}

// Add adds a fault of a value.
func (f *Faults) Add(v *Value, format string, args ...any) {
	f.add(f.Where(v), format, args...)
}

// Where returns the file, the line and the path of a value.
func (f *Faults) Where(v *Value) string {
	where := fmt.Sprintf("%s:%d", f.File, v.Line)
	if path := v.Path(); path != "" {
		where += ": " + path
	}
	return where
}

// AddLine adds a fault of a line. Line 0 is the whole file.
func (f *Faults) AddLine(line int, format string, args ...any) {
	where := f.File
	if line > 0 {
		where = fmt.Sprintf("%s:%d", f.File, line)
	}
	f.add(where, format, args...)
}

func (f *Faults) add(where, format string, args ...any) {
	if len(f.list) == maxFaults {
		f.more++
		return
	}
	f.list = append(f.list, fmt.Errorf("%s: %w", where, fmt.Errorf(format, args...)))
}

// Err returns all faults, or nil.
func (f *Faults) Err() error {
	if f.more > 0 {
		return errors.Join(append(f.list[:len(f.list):len(f.list)], More(f.more))...)
	}
	return errors.Join(f.list...)
}

// More is the error that stands for n errors which are not reported one by one.
func More(n int) error {
	if n == 1 {
		return errors.New("1 more error")
	}
	return fmt.Errorf("%d more errors", n)
}

// Need reports whether the value has the kind, and adds a fault if not.
func (f *Faults) Need(v *Value, kind Kind) bool {
	if v.Kind != kind {
		f.Add(v, "this is %s, not %s", v.Kind, kind)
	}
	return v.Kind == kind
}
