package shard

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

// addInWindow adds in mode ExactWindow. All its requests arrive while DynamoDB remembers the token
// of the first one.
func (a *addition) addInWindow(ctx context.Context) error {
	left := exec.TokenLife
	if a.option.timed {
		left -= max(0, a.exec.Now().Sub(a.option.since))
	}
	if left <= a.exec.AttemptTimeout() {
		return a.unknown(opAdd, "DynamoDB may have forgotten whether the increment was counted: its first attempt was nearly 10 minutes ago",
			"find out by other means; mode ExactForever remembers longer", nil)
	}
	if !a.option.option {
		key, err := a.exec.Random.Text()
		if err != nil {
			return a.failed(opAdd, err)
		}
		a.option.key = key
	}
	bounded, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	return a.add(bounded, a.sendWithToken)
}

// sendWithToken adds to the shard of the key, in a transaction with the token of the key. DynamoDB
// applies only one request with the token. So it is safe to send it to another shard, even if the
// outcome of an earlier request is unknown.
func (a *addition) sendWithToken(ctx context.Context, shards int) (op.Reply, result, error) {
	reply, err := a.sendTo(ctx, shards)
	a.denied = a.denied || exec.Denied(err)
	if isMismatch(err) {
		return reply, ended, a.sendAsBefore(ctx, shards, err)
	}
	if _, canceled := unmetConditions(err, 1); canceled {
		return reply, closed, err
	}
	return reply, ended, err
}

// sendTo sends the request for a number of shards. Its outcome is that of this call alone; certain
// takes earlier calls with the key into account.
func (a *addition) sendTo(ctx context.Context, shards int) (op.Reply, error) {
	act, err := a.increment(a.option.shard(shards))
	if err != nil {
		return op.Reply{}, a.failed(opAdd, err)
	}
	return a.execute(ctx, op.Operation{Name: opAdd, Actions: []op.Action{act}, Token: a.token(), Fresh: true})
}

// sendAsBefore repeats the requests of the former numbers of shards, after DynamoDB reported that
// another request with the token was applied. If one of them succeeds, it was the one, so the
// increment was applied then.
func (a *addition) sendAsBefore(ctx context.Context, shards int, mismatch error) error {
	s, err := a.load(ctx, opAdd, a.of, true)
	if err != nil {
		return withOutcome(err, trestle.Unknown)
	}
	tried := map[int]bool{a.option.shard(shards): true}
	for _, f := range append([]former{{s.shards, 0}}, s.past...) {
		shard := a.option.shard(f.shards)
		if tried[shard] {
			continue
		}
		tried[shard] = true
		if _, err := a.sendTo(ctx, f.shards); err == nil || !isMismatch(err) {
			return withOutcome(err, trestle.Unknown)
		}
	}
	return a.unknown(opAdd, "another request with the key was applied within the last ten minutes",
		"it had another number, or the counter was resized often since: use a key for one increment only", mismatch)
}

func isMismatch(err error) bool {
	var mismatch *types.IdempotentParameterMismatchException
	return errors.As(err, &mismatch)
}

// tokenSize is the maximum length of a token.
const tokenSize = 36

// token returns the token of the increment. It depends on the table, the family, the counter and
// the key, because tokens are those of an account.
func (a *addition) token() string {
	h := sha256.New()
	for _, part := range []string{a.exec.Table, a.family, a.of.name, a.option.key} {
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(part)))) // it never fails
		_, _ = h.Write([]byte(part))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))[:tokenSize]
}
