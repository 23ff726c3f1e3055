package keys

// FormatNames returns the built-in formats of each kind. A group has the name of its example.
func FormatNames() map[Kind][]string {
	names := map[Kind][]string{}
	for _, f := range formats {
		for _, kind := range f.kinds {
			names[kind] = append(names[kind], f.name)
		}
	}
	return names
}
