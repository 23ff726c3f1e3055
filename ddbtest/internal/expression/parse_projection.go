package expression

// parseProjection parses a whole projection: paths separated by commas.
func parseProjection(s source) ([]*documentPath, error) {
	p, err := newParser(s)
	if err != nil {
		return nil, err
	}
	var paths []*documentPath
	for {
		path, err := p.path()
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
		if !p.skip(commaToken) {
			return paths, p.finish()
		}
	}
}
