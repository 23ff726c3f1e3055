package transport

import (
	"hash/crc32"
	"strconv"
)

// checksum returns the CRC32 checksum of the body, as the service sends it.
func (r *Reply) checksum() string {
	sum := crc32.ChecksumIEEE(r.Body)
	if r.WrongChecksum {
		sum = ^sum
	}
	return strconv.FormatUint(uint64(sum), 10)
}

func (r *Reply) length() string { return strconv.Itoa(len(r.Body)) }
