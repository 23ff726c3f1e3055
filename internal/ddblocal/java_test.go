package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseJavaMajor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want int
		ok   bool
	}{
		{`openjdk version "17.0.15" 2025-04-15`, 17, true},
		{`openjdk version "21" 2023-09-19`, 21, true},
		{`openjdk version "25-ea" 2025-09-16`, 25, true},
		{`java version "1.8.0_292"`, 8, true},
		{`java version "9"`, 9, true},
		{"Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"17.0.1\" 2021-10-19\nOpenJDK Runtime Environment", 17, true},
		{"Unable to locate a Java Runtime.", 0, false},
		{`java version "99999999999999999999"`, 0, false},
		{"", 0, false},
	} {
		got, ok := parseJavaMajor(c.text)
		require.Equal(t, c.ok, ok, c.text)
		if c.ok {
			require.Equal(t, c.want, got, c.text)
		}
	}
}
