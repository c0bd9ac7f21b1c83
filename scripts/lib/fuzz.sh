# Builds and runs of the fuzz targets. Sourced after common.sh and swift.sh.
# shellcheck shell=bash

readonly FUZZ_FOLDER="$ROOT/.build/fuzz"
readonly FAILURES_FOLDER="$FUZZ_FOLDER/failures"
# The package's settings, in the compiler's own words; optimised, with checks of overflow and bounds left in.
readonly FUZZ_OPTIONS=(
    -swift-version 6 -package-name authkit -parse-as-library -whole-module-optimization -O -gline-tables-only
    -sanitize=fuzzer,address -I "$ROOT/Sources/COpenSSL" -I "$FUZZ_FOLDER/core"
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature NonisolatedNonsendingByDefault
)
# What all targets are made of besides their own files.
readonly REFERENCE_FOLDER="$ROOT/Tests/AuthKitCoreTests/JOSE/Reference"
readonly REFERENCE_FILES=(
    "$REFERENCE_FOLDER/ReferenceJSON.swift" "$REFERENCE_FOLDER/ReferenceNumber.swift"
    "$REFERENCE_FOLDER/JSONDisagreement.swift"
)

swiftc_beside_swift() {
    "$(dirname "$SWIFT")/swiftc" "$@"
}

# is_older FILE PATH…: whether the file is absent or something at the paths is newer.
is_older() {
    local file=$1
    shift
    [[ ! -e $file || -n $(find "$@" -newer "$file" -print -quit) ]]
}

# AuthKitCore as a module of instrumented objects; every one of its files is in it.
build_instrumented_core() {
    local folder="$FUZZ_FOLDER/core" sources
    is_older "$folder/built" "$ROOT/Sources/AuthKitCore" "$ROOT/Sources/COpenSSL" "$ROOT/scripts/lib/fuzz.sh" || return 0
    rm -rf "$folder"
    mkdir -p "$folder"
    mapfile -t sources < <(find "$ROOT/Sources/AuthKitCore" -name '*.swift' | sort)
    (cd "$folder" && swiftc_beside_swift "${FUZZ_OPTIONS[@]}" -module-name AuthKitCore -num-threads "$(nproc)" \
        -emit-module -emit-module-path AuthKitCore.swiftmodule -c "${sources[@]}")
    touch "$folder/built"
}

# build_fuzz_target json|jwt|jwe
build_fuzz_target() {
    local sources=("${REFERENCE_FILES[@]}")
    case $1 in
        json) sources+=("$ROOT/Fuzz/Targets/JSONTarget.swift") ;;
        jwt) sources+=("$ROOT"/Fuzz/Targets/{JWTTarget,TokenJudge,KnownTokens,VectorRows}.swift) ;;
        jwe) sources+=("$ROOT"/Fuzz/Targets/{JWETarget,DecryptionJudge,VectorRows}.swift) ;;
    esac
    is_older "$FUZZ_FOLDER/$1" "$FUZZ_FOLDER/core/built" "${sources[@]}" || return 0
    swiftc_beside_swift "${FUZZ_OPTIONS[@]}" -module-name "Fuzz_$1" -o "$FUZZ_FOLDER/$1" \
        "${sources[@]}" "$FUZZ_FOLDER"/core/*.o
}

# vectors_of json|jwt|jwe: the files whose tokens and keys a target knows, with colons between them.
vectors_of() {
    local folder="$ROOT/Tests/AuthKitCoreTests/Vectors"
    case $1 in
        jwe) printf '%s' "$folder/encrypted-tokens.json:$folder/encrypted-interop.json" ;;
        *) printf '%s' "$folder/signatures.json" ;;
    esac
}

# run_fuzz_target json|jwt|jwe SECONDS: fails when an input does. A backtrace would be waited for, so there is none; leaks
# are not looked for, because Swift keeps an enum's case in the high bits of a pointer, where the detector loses it.
run_fuzz_target() {
    local corpus="$FUZZ_FOLDER/corpus/$1"
    mkdir -p "$corpus" "$FAILURES_FOLDER"
    AUTHKIT_VECTORS=$(vectors_of "$1") SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 \
        "$FUZZ_FOLDER/$1" -max_total_time="$2" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$FAILURES_FOLDER/$1-" "$corpus" "$ROOT/Fuzz/Corpus/$1" 2>&1 | tee "$FUZZ_FOLDER/$1.log" |
        grep -vE '^#[0-9]+\s+(NEW|REDUCE|RELOAD)\b|^"|^###' >&2
}

# executed_units json|jwt|jwe: how many inputs the last run tried.
executed_units() {
    sed -n 's/^stat::number_of_executed_units: *//p' "$FUZZ_FOLDER/$1.log" | tail -n 1
}
