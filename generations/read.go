package generations

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
)

// readAll reads the pointer item and the parts of its current generation.
func readAll(ctx context.Context, s session, strong bool) error {
	return readWith(ctx, s, strong, readGeneration)
}

// streamAll passes the parts of the generation of the state to the caller.
func streamAll(ctx context.Context, s session, strong bool) error {
	return readWith(ctx, s, strong, streamGeneration)
}

func readWith(ctx context.Context, s session, strong bool, read func(context.Context, session, bool) error) error {
	c := s.config()
	err := c.err
	if err == nil {
		err = read(ctx, s, strong)
	}
	if err != nil {
		return c.failed(opRead, trestle.NoWrite, err, "")
	}
	return nil
}

func streamGeneration(ctx context.Context, s session, strong bool) error {
	now := s.state()
	if now.Parts == 0 {
		return errNoGeneration
	}
	parts, all, err := s.stream(ctx, now.Generation, strong)
	if err != nil || !all {
		return err
	}
	return checkParts(ctx, s, parts, strong)
}

func readGeneration(ctx context.Context, s session, strong bool) error {
	if _, err := s.read(ctx, strong); err != nil {
		return err
	}
	for range maxReads {
		now := s.state()
		if now.Parts == 0 {
			return errNoGeneration
		}
		parts, err := s.collect(ctx, now.Generation, strong)
		if err == nil {
			err = checkParts(ctx, s, parts, strong)
		}
		if !errors.Is(err, errMoved) {
			return err
		}
		strong = true
	}
	return errMoved
}

// checkParts returns an error if the generation of the state had another number of parts when it
// was read. It then reads the pointer item.
func checkParts(ctx context.Context, s session, parts int, strong bool) error {
	before := s.state()
	if parts == before.Parts {
		return nil
	}
	if _, err := s.read(ctx, true); err != nil {
		return err
	}
	// If the generation is current now, it was current all the time.
	if strong && s.state().Generation == before.Generation {
		return errIncomplete
	}
	return errMoved
}
