package generations

import (
	"context"

	"github.com/trestledb/trestle"
)

// readAll reads the pointer item and the parts of its current generation.
func readAll(ctx context.Context, s session, strong bool) error {
	c := s.config()
	err := c.err
	if err == nil {
		err = readGeneration(ctx, s, strong)
	}
	if err != nil {
		return c.failed(opRead, trestle.NoWrite, err, "")
	}
	return nil
}

func readGeneration(ctx context.Context, s session, strong bool) error {
	if _, err := s.read(ctx, strong); err != nil {
		return err
	}
	for range attempts {
		now := s.state()
		if now.Parts == 0 {
			return errNoGeneration
		}
		parts, err := s.collect(ctx, now.Generation, strong)
		if err != nil || parts == now.Parts {
			return err
		}
		if _, err := s.read(ctx, true); err != nil {
			return err
		}
		// If the generation is current now, it was current all the time.
		if strong && s.state().Generation == now.Generation {
			return errIncomplete
		}
		strong = true
	}
	return errMoved
}
