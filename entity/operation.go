package entity

import "github.com/trestledb/trestle/internal/repo"

// Operation is an *Op of any type.
type Operation interface{ operation() *repo.Op }

//go:noinline
func (o *Op[T]) operation() *repo.Op { return (*repo.Op)(o) }
