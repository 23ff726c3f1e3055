package ddblocal

import (
	"os"
	"path/filepath"
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

func TestFindJavaHeedsTheVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version string
		ok      bool
	}{
		{java17, true},
		{`openjdk version "21" 2023-09-19`, true},
		{`java version "1.8.0_292"`, false},
		{`openjdk version "16.0.2" 2021-07-20`, false},
		{"no version", false},
	} {
		m := withJava(t, c.version)
		java, err := findJava(t.Context(), m.host())
		if c.ok {
			require.NoError(t, err, c.version)
			require.Equal(t, filepath.Join(m.dir, "java"), java)
			continue
		}
		_, absent := isAbsent(err)
		require.True(t, absent, c.version)
	}
}

func TestFindJavaPrefersJavaHomeUnlessItIsTooOld(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		home string // the version in JAVA_HOME
		want string // folder
	}{
		{`openjdk version "21" 2023-09-19`, "home/bin"},
		{`java version "1.8.0_292"`, "."},
	} {
		m := withJava(t, java17)
		m.write("home/bin/java.version", c.home)
		m.install(filepath.Join(m.dir, "home", "bin"), "java")
		m.env["JAVA_HOME"] = filepath.Join(m.dir, "home")
		java, err := findJava(t.Context(), m.host())
		require.NoError(t, err)
		require.Equal(t, filepath.Join(m.dir, c.want, "java"), java)
	}
}

func TestLookPathPassesOverRelativeFolders(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.env["PATH"] = "." + string(os.PathListSeparator) + "" + string(os.PathListSeparator) + "testdata"
	_, err := m.host().lookPath("java")
	require.Error(t, err)
}
