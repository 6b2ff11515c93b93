# The habits. Nothing here but `site` needs more than a Rust toolchain, g++ and Python.
.PHONY: check test bench report docs site deny bless

check: ## what .ci/run checks, without installing anything
	cargo fmt --all --check
	python3 .ci/lints.py
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps
	cargo test

test: ## the tests alone
	cargo test

bench: ## clauses per second of every encoding, beside the limit
	cargo bench -p bezzel-bench --bench generation

report: ## the first look: run what is missing, render the report
	cargo run -- run configs/first-look.yaml

docs: ## the documentation of all crates
	cargo doc --workspace --no-deps --open

site: ## the reports and the documents as a static site; needs `cargo install mdbook@0.5.4`
	cargo run -- report --all --quiet
	python3 .ci/site.py

deny: ## licences and sources of the dependencies; needs `cargo install cargo-deny`
	cargo deny check licenses bans sources

bless: ## rewrite the golden files; read the difference before you commit it
	BEZZEL_BLESS=1 cargo test
	BEZZEL_BLESS=1 cargo test -p bezzel-encode --test all bounds -- --ignored
