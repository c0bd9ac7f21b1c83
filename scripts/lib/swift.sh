# The Swift toolchain and the builds that scripts share. Sourced after common.sh.
# shellcheck shell=bash

# Every build takes the same options, and has the store over PostgreSQL in it: who builds without needs no libpq-dev.
readonly BUILD_OPTIONS=(--package-path "$ROOT" --explicit-target-dependency-import-check error --traits Postgres)

swift_version_of() {
    "$1" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1
}

is_at_least() {
    [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]
}

# find_swift [FALLBACK]: sets SWIFT to the first toolchain that is new enough: the one in PATH, else the one in /opt/swift.
find_swift() {
    local candidate version found=
    for candidate in "$(command -v swift || true)" "${1:-/opt/swift/usr/bin/swift}"; do
        if [[ -z $candidate || ! -x $candidate ]]; then
            continue
        fi
        version=$(swift_version_of "$candidate")
        if [[ -n $version ]] && is_at_least "$version" "$MINIMUM_SWIFT"; then
            SWIFT=$candidate
            return
        fi
        found="$candidate is ${version:-broken: it does not tell its version}"
    done
    if [[ -n $found ]]; then
        fail "Swift $MINIMUM_SWIFT or later is needed and $found. Install a newer toolchain from
https://www.swift.org/install/linux/ and put its usr/bin first in PATH."
    fi
    fail "Swift is missing. Install Swift $MINIMUM_SWIFT or later from https://www.swift.org/install/linux/
and put its usr/bin in PATH (or unpack it as /opt/swift), then run this again."
}

# options_for thread|address: sets TEST_OPTIONS; each sanitizer has a folder of its own, so that no build undoes another.
# What a sanitizer reports has files and lines; more of what a debugger wants would take a sixth of the time.
options_for() {
    TEST_OPTIONS=("${BUILD_OPTIONS[@]}" --sanitize="$1" --scratch-path "$ROOT/.build/$1-sanitizer"
        -Xswiftc -gline-tables-only)
}

# build_for_testing thread|address: one debug build of everything, tests included.
build_for_testing() {
    options_for "$1"
    "$SWIFT" build "${TEST_OPTIONS[@]}" --build-tests
}

# run_tests thread|address [OPTION OF 'swift test']…: the tests of a build that is there. Names those that failed again at
# the end, since a thousand lines come between.
run_tests() {
    local output code=0
    options_for "$1"
    shift
    output=$(mktemp)
    "$SWIFT" test "${TEST_OPTIONS[@]}" --skip-build --ignore-lock --no-parallel "$@" 2>&1 | tee "$output" || code=$?
    if ((code != 0)); then
        say "What failed:"
        grep -E '^✘|WARNING: ThreadSanitizer|ERROR: AddressSanitizer|recorded an issue|Fatal error' "$output" | head -n 100 >&2 || true
    fi
    rm -f "$output"
    return "$code"
}

# run_all_tests thread|address [--skip PATTERN]…: every other test, those of AuthKitCore beside the rest, since a test uses
# one core.
run_all_tests() {
    local output beside code=0
    output=$(mktemp)
    run_tests "$@" --skip '^AuthKitCoreTests\.' >"$output" 2>&1 &
    beside=$!
    # An end of the script before that of the tests is one of theirs too.
    trap "end_process $beside" EXIT
    run_tests "$@" --filter '^AuthKitCoreTests\.' || code=$?
    wait "$beside" || code=$?
    trap - EXIT
    cat "$output"
    rm -f "$output"
    return "$code"
}

# build_product debug|release NAME: builds one product. All share one folder and one set of options, so that of a second one
# only the modules are compiled that the first has not.
build_product() {
    "$SWIFT" build "${BUILD_OPTIONS[@]}" --configuration "$1" --product "$2" >&2
}

# build_command debug|release: builds the command and sets AUTHKIT to it.
build_command() {
    build_product "$1" authkit
    AUTHKIT="$("$SWIFT" build "${BUILD_OPTIONS[@]}" --configuration "$1" --show-bin-path)/authkit"
}

# use_or_build_command debug|release: takes the command that AUTHKIT names, else builds it.
use_or_build_command() {
    if [[ -z ${AUTHKIT:-} ]]; then
        step "Building authkit ($1): minutes the first time, seconds from then on"
        build_command "$1"
    elif [[ -x $AUTHKIT ]]; then
        AUTHKIT=$(realpath -- "$AUTHKIT")
    else
        fail "AUTHKIT is '$AUTHKIT', which is no program: correct it, or unset it to build one." 64
    fi
}
