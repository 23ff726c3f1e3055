//go:build !race

package core

func (*Buffer) spoil() {}
