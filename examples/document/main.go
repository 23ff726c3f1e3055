package main

import "github.com/trestledb/trestle/examples/internal/program"

func main() { program.Main(run) }
