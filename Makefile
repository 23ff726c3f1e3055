# The commands of the repository. `make` lists them. The tests, go vet and the linter run in every
# module of the repository.

# Variables that a caller may set: the demos to run, the timeout of one package's tests, more flags
# for go test such as -v, the benchmarks of packages and their count, the duration of each fuzz
# target, and the rounds: of the large random tests, or of the comparison with other libraries.
DEMO      ?= why company
TIMEOUT   ?= 10m
TESTFLAGS ?=
BENCH     ?= .
COUNT     ?= 6
FUZZTIME  ?= 60s

fuzz:  ROUNDS ?= 3
bench: ROUNDS ?= 9

BENCHSTAT_VERSION := v0.0.0-20260908200009-22c9c6c9d4da

# Tests and examples must not depend on the caller's AWS settings, so the AWS variables are unset.
AWS_VARIABLES := $(sort AWS_NEW_RETRIES_2026 $(filter AWS_%,$(.VARIABLES)))
CLEAN         := env $(addprefix -u ,$(AWS_VARIABLES))
EACH          := $(CLEAN) ./.ci/each

# The demos are the programs below examples.
DEMOS := $(patsubst examples/%/main.go,%,$(wildcard examples/*/main.go))

.DEFAULT_GOAL := help
.PHONY: help demo probe test test-race fuzz bench bench-packages lint golden ddblocal

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "demos: $(DEMOS)"

demo: ## show why, and a data access object at work (DEMO=shop: another demo), in one process or on DYNAMODB_ENDPOINT
	$(if $(and $(strip $(DEMO)),$(if $(filter-out $(DEMOS),$(DEMO)),,all known)),,$(error there is no demo "$(DEMO)"; the demos are: $(DEMOS)))
	@for demo in $(DEMO); do \
		printf '\n==> examples/%s\n' "$$demo"; \
		$(CLEAN) go run "./examples/$$demo" -endpoint "$(DYNAMODB_ENDPOINT)" || exit; \
	done

# go test hides the log of a package that passes, so this target prints the engine of the tests.
probe:
	@$(CLEAN) go run -C internal/ddblocal . -probe

test: probe ## run all tests (TESTFLAGS=-v; TRESTLE_SIZE=ci or fuzz for larger random tests)
	@$(EACH) go test -timeout $(TIMEOUT) $(TESTFLAGS) ./...

test-race: ## run the tests of packages with concurrency under the race detector (needs a C compiler)
	@$(EACH) "$(CURDIR)/.ci/race" -timeout $(TIMEOUT) $(TESTFLAGS)

fuzz: ## run every fuzz target for FUZZTIME (60s), then the large random tests ROUNDS times (3)
	@$(CLEAN) ./.ci/fuzz $(FUZZTIME) $(ROUNDS)

# The comparison is in a module of its own, and prints its table while it runs.
bench: ## compare with the SDK and with guregu/dynamo (ROUNDS=9), write files for benchstat to bench/
	@$(CLEAN) go test -C internal/peerbench -run '^TestComparison$$' -count 1 -timeout 30m -args -rounds $(ROUNDS) -out "$(CURDIR)/bench"

bench-packages: ## run the benchmarks of all packages (BENCH=regexp COUNT=6); BENCHSTAT=1 sums them up
ifeq ($(BENCHSTAT),1)
	$(CLEAN) go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) -timeout 2h ./... > bench.txt
	go run golang.org/x/perf/cmd/benchstat@$(BENCHSTAT_VERSION) bench.txt
else
	$(CLEAN) go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) -timeout 2h ./...
endif

lint: ## check the format, and run the pinned linter, which includes go vet
	@./.ci/lint

golden: ## regenerate generated and golden files
	@$(CLEAN) ./.ci/golden

ddblocal: ## run DynamoDB Local while standard input is open (it listens on ALL network interfaces)
	@$(CLEAN) TRESTLE_REQUIRE_DYNAMODB=1 go run -C internal/ddblocal .
