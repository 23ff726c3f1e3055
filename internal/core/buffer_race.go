//go:build race

package core

// spoil overwrites the body of a response that was released. A use after the release then shows in
// tests under the race detector.
func (b *Buffer) spoil() {
	body := b.Body[:cap(b.Body)]
	for i := range body {
		body[i] = '?'
	}
}
