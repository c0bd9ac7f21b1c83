# Tests of the scripts themselves: no build, a second. Sourced after common.sh, swift.sh and gate.sh.
# shellcheck shell=bash

# Every script answers --help from any directory and does nothing else.
test_help() {
    local script text
    for script in "$ROOT"/scripts/* "$ROOT/.ci/run"; do
        [[ -f $script && -x $script ]] || continue
        if ! text=$(cd / && "$script" --help </dev/null 2>&1) || [[ $text != "usage: "* ]]; then
            complain "${script#"$ROOT/"} --help does not end with 0 and its usage."
        fi
    done
}

# fake_swift FILE VERSION: a toolchain that tells this version, or nothing.
fake_swift() {
    mkdir -p "$(dirname "$1")"
    printf '#!/bin/sh\n%s\n' "${2:+echo 'Swift version $2 (swift-$2-RELEASE)'}" >"$1"
    chmod 755 "$1"
}

# expect_swift NAME STATUS PATTERN: runs find_swift with only $folder/NAME/bin and $folder/tools in PATH, and $folder/NAME/opt/swift beside it.
expect_swift() {
    local text code=0
    text=$(PATH="$folder/$1/bin:$folder/tools" && SWIFT= && find_swift "$folder/$1/opt/swift" 2>&1 && printf '%s' "$SWIFT") || code=$?
    if ((code != $2)) || [[ ! $text =~ $3 ]]; then
        complain "find_swift, $1: ended with $code and said '$text'; wanted $2 and '$3'."
    fi
}

test_find_swift() {
    local folder tool
    folder=$(mktemp -d)
    mkdir "$folder/tools"
    for tool in sh basename sed sort head; do
        ln -s "$(command -v "$tool")" "$folder/tools/"
    done
    fake_swift "$folder/old/bin/swift" 5.10.1
    fake_swift "$folder/broken/bin/swift" ''
    fake_swift "$folder/new/bin/swift" "$MINIMUM_SWIFT"
    fake_swift "$folder/newer/bin/swift" 6.10.2
    fake_swift "$folder/old-before-new/bin/swift" 6.2.4
    fake_swift "$folder/old-before-new/opt/swift" 6.3.1
    expect_swift none 1 "Swift is missing. Install Swift $MINIMUM_SWIFT or later from https://"
    expect_swift old 1 "Swift $MINIMUM_SWIFT or later is needed and .*/old/bin/swift is 5.10.1. Install a newer"
    expect_swift broken 1 'broken/bin/swift is broken: .*Install a newer'
    expect_swift new 0 '/new/bin/swift$'
    expect_swift newer 0 '/newer/bin/swift$'
    expect_swift old-before-new 0 '/old-before-new/opt/swift$'
    rm -rf "$folder"
}

# The gate's rule for type names sees what it must and nothing else.
test_type_names() {
    local folder found
    local ALLOWED_TYPE_NAMES=(SetDefaultCommand)
    folder=$(mktemp -d)
    printf '%s\n' 'struct TokenManager {}' 'enum UtilThings {}' 'final class ABaseCase {}' '    actor URLHelper {}' \
        'struct Base64URL {}' 'struct Baseline {}' 'struct SetDefaultCommand {}' 'let manager = 1' '// struct Base' >"$folder/Names.swift"
    found=$(type_names_with "$EMPTY_NAME" "$folder" | wc -l)
    ((found == 4)) || complain "The rule for type names finds $found of 4 names."
    ALLOWED_TYPE_NAMES=()
    found=$(type_names_with "$EMPTY_NAME" "$folder" | wc -l)
    ((found == 5)) || complain "The rule for type names finds $found of 5 names when none is allowed."
    rm -rf "$folder"
}

# expect_fault_points COMPLAINTS SYMBOL…: what the rule for fault points says of a command whose symbols nm prints so.
expect_fault_points() {
    local wanted=$1 found
    local -a names=("${@:2}")
    found=$(
        nm() { printf '0000000000095e20 T %s\n' "${names[@]}"; }
        FAILURES=()
        check_fault_points command 2>/dev/null
        printf '%d' ${#FAILURES[@]}
    )
    [[ $found == "$wanted" ]] || complain "The rule for fault points has $found complaints about '${names[*]}'; wanted $wanted."
}

# Symbols as release and debug builds have them.
test_fault_points() {
    local point='$s11AuthKitCore10FaultPointV'
    expect_fault_points 0 "${point}10leaseTakenACvpZ" "${point}7reachedyyYaKF" "${point}7reachedyyYaKFTu"
    expect_fault_points 1 "${point}7reachedyyYaKF" "${point}7handleryACYaYbKYCcSgvgZ"
    expect_fault_points 1 "${point}8\$handler_WZ"
    expect_fault_points 1 "${point}7reachedyyYaKF" "${point}7reachedyyYaKFTQ0_"
    expect_fault_points 1 "${point}D" '$s14AuthKitTesting14FaultInjectionC6ActionO'
    expect_fault_points 1 ''
}

test_scripts() {
    local before=${#FAILURES[@]}
    test_help
    test_find_swift
    test_type_names
    test_fault_points
    ((${#FAILURES[@]} > before)) ||
        say "Help, the search for Swift, the rules for type names and fault points: as they should be."
}
