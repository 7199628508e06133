# radoscope: `make` alone lists what can be made.
.DEFAULT_GOAL := help
.PHONY: help setup demo test beds bed-cephadm bed-kubernetes releases fast random damage lint format docs words golden torture clean

python := .venv/bin/python
# Tests on Ceph mostly wait; each worker has a cluster of 1.5 GiB. With four a quarter of two cores is idle.
WORKERS ?= 5

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

setup: ## install what is missing: Debian packages and the Python environment
	@scripts/ensure-packages
	@scripts/ensure-python

demo: setup ## start a real Ceph cluster, measure it, write the report, remove the cluster
	@scripts/demo

test: ## all tests, those on real Ceph included
	@scripts/ensure-packages gcc libc6-dev e2fsprogs qemu-system-common qemu-utils qemu-block-extra  # disk model, device checks, layer qemu
	@scripts/ensure-python dev,simulate,export
	@env -u PYTHONDONTWRITEBYTECODE $(python) -m pytest -q -n $(WORKERS)  # five collect, and hundreds of commands load

beds: bed-cephadm bed-kubernetes ## the next two, one after the other

bed-cephadm: ## real cephadm on three hosts in namespaces (root), the tests of --at on it, and its end
	@scripts/ensure-packages debootstrap openssh-client
	@scripts/ensure-python dev,simulate,export
	@trap 'tests/beds/bed down' EXIT; tests/beds/bed up && $(python) -m pytest -q tests/beds/test_at.py

bed-kubernetes: ## real Kubernetes on two nodes in namespaces (root, Go), the tests of --at kubectl on it, and its end
	@scripts/ensure-packages debootstrap
	@scripts/ensure-python dev,simulate,export
	@trap 'tests/beds/kube down' EXIT; tests/beds/kube up || { [ $$? = 3 ] && exit 0; exit 1; }; \
	$(python) -m pytest -q tests/beds/test_kubectl.py

releases: ## demo and chosen tests in Debian roots with Ceph 16.2, 18.2, 20.2; ROOTS="trixie testing", WITHIN=120 minutes
	@scripts/ensure-packages debootstrap
	@python3 scripts/releases.py --within $(or $(WITHIN),120) $(ROOTS)

fast: ## the tests that need no cluster
	@scripts/ensure-python dev,simulate,export
	@$(python) -m pytest -q -n auto -m "not ceph and not slow"

random: ## the tests of arbitrary input, with new random examples, EXAMPLES=10 times as many
	@scripts/ensure-python dev,simulate,export
	@RADOSCOPE_EXAMPLES=$(or $(EXAMPLES),10) $(python) -m pytest -q -n auto -m hypothesis

damage: ## pages in VARIATIONS=10000 variations and MUTATIONS=1000000 damaged ones: hours
	@$(python) -m benchmarks.import_pages $(or $(VARIATIONS),10000) $(or $(MUTATIONS),1000000)

lint: ## ruff, mypy --strict, import-linter
	@scripts/ensure-python dev,simulate,export
	@.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy && .venv/bin/lint-imports --no-cache

format: ## let ruff format everything
	@.venv/bin/ruff format . && .venv/bin/ruff check --fix .

docs: ## the documentation as a site in build/site; a dead link fails
	@scripts/ensure-python docs
	@NO_MKDOCS_2_WARNING=1 $(python) -m mkdocs build --strict --quiet

words: ## add new messages to the catalogues of src/radoscope/words, and say how many are not translated
	@scripts/ensure-python dev,simulate,export
	@$(python) scripts/messages.py

golden: ## write the expected reports and help texts anew; review the difference
	@RADOSCOPE_UPDATE_GOLDEN=1 $(python) -m pytest -q tests -k golden

torture: setup ## kill radoscope, its tools and daemons at KILLS=100 random moments; nothing may be left
	@scripts/ensure-python dev,simulate,export
	@RADOSCOPE_KILLS=$(or $(KILLS),100) $(python) -m pytest -q tests/session/test_random_kills.py
	@RADOSCOPE_KILLS=$(or $(KILLS),24) $(python) -m pytest -q tests/sandbox/test_random_kill.py

clean: ## remove what radoscope runs of this user have left behind
	@.venv/bin/radoscope clean
