# The gate's text rules: counts against ceilings, forbidden words, the README's program. Sourced after common.sh.
# shellcheck shell=bash

FAILURES=()

# complain TEXT…: records one failure of the gate, which is told again at the end, and goes on.
complain() {
    say "FAIL: $*"
    FAILURES+=("$*")
}

# Prints FILE:LINE:TEXT of the code lines below the named folders that match; lines that are only comment do not count.
code_lines() {
    local pattern=$1
    shift
    (cd "$ROOT" && grep -rnP --include='*.swift' -- "$pattern" "$@" || true) | grep -vP '^[^:]+:\d+:\s*//' || true
}

# Prints the Swift files of more than 400 lines.
long_files() {
    local file lines
    while IFS= read -r file; do
        lines=$(wc -l <"$file")
        if ((lines > 400)); then
            printf '%s:%d\n' "${file#"$ROOT/"}" "$lines"
        fi
    done < <(find "$ROOT/Sources" "$ROOT/Tests" "$ROOT/Benchmarks" "$ROOT/Fuzz" "$ROOT/Snippets" "$ROOT/Examples" -name '*.swift' 2>/dev/null | sort)
}

count_lines() {
    grep -c . || true
}

# Compares each count with its committed ceiling, which may only go down.
check_ceilings() {
    local name ceiling count
    while read -r name ceiling; do
        case $name in
            '' | '#'*) continue ;;
            unchecked-sendable) count=$(code_lines '@unchecked\b' Sources | count_lines) ;;
            unsafe) count=$(code_lines '(?<!@)\bunsafe\b' Sources | count_lines) ;;
            files-over-400-lines) count=$(long_files | count_lines) ;;
            *)
                complain "scripts/ceilings names '$name', which nothing counts."
                continue
                ;;
        esac
        if ((count > ceiling)); then
            complain "$name: $count, and the ceiling is $ceiling. Bring it down, or raise scripts/ceilings and say why in the commit."
            [[ $name != files-over-400-lines ]] || long_files >&2
        elif ((count < ceiling)); then
            say "$name: $count (ceiling $ceiling: lower it in scripts/ceilings)"
        else
            say "$name: $count (ceiling $ceiling)"
        fi
    done <"$ROOT/scripts/ceilings"
}

# forbid PATTERN REASON FOLDER…
forbid() {
    local pattern=$1 reason=$2 found
    shift 2
    found=$(code_lines "$pattern" "$@")
    if [[ -n $found ]]; then
        complain "$reason"
        say "$found"
    fi
}

# Words that say nothing in a type's name, as whole words: Base64URL holds none of them.
readonly EMPTY_NAME='\w*?(?:Managers?|Helpers?|Util(?:s|ity|ities)?|Impls?|Defaults?|Bases?|Common)(?![a-z0-9])'
# Names that hold one and stay, each with its reason beside it.
ALLOWED_TYPE_NAMES=()

# type_names_with PATTERN FOLDER…: FILE:LINE:TEXT where a type is declared whose name matches and is not allowed.
type_names_with() {
    local pattern=$1 allowed
    shift
    allowed=$(IFS='|' && printf '%s' "${ALLOWED_TYPE_NAMES[*]-}")
    code_lines "\\b(?:struct|class|enum|actor|protocol|typealias|associatedtype)\\s+(?!(?:${allowed:--})\\b)$pattern" "$@"
}

# What no line of code may say.
check_forbidden_words() {
    local found
    forbid '\btry!' 'try! ends the process: handle the error.' Sources
    forbid '\bfatalError\b' 'fatalError ends the process: throw, or use precondition for a mistake of the programmer.' Sources
    forbid 'nonisolated\(unsafe\)' 'nonisolated(unsafe) hides a race: use Guarded or an actor.' Sources Tests
    forbid '\bTask\.detached\b' 'Task.detached loses priority and task-locals: use Task.' Sources Tests
    forbid '\bDispatchSemaphore\b|\bDispatchGroup\b' 'Do not block a thread for async work.' Sources
    forbid '^\s*(?:@\w+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+(?:\w+\s+)?Foundation' \
        'No Foundation in the libraries or the command.' Sources
    found=$(type_names_with "$EMPTY_NAME" Sources Tests Benchmarks)
    if [[ -n $found ]]; then
        complain 'A type name says nothing: Manager, Helper, Util, Impl, Default, Base and Common are not used (exceptions: ALLOWED_TYPE_NAMES).'
        say "$found"
    fi
    found=$(cd "$ROOT" && grep -rnE --include='*.swift' --include='*.sh' --include='*.py' '\b(TODO|FIXME|XXX)\b' \
        Sources Tests Benchmarks | grep -vE '(TODO|FIXME)\(#[0-9]+\)' || true)
    if [[ -n $found ]]; then
        complain 'A TODO needs the number of an issue: TODO(#12).'
        say "$found"
    fi
}

# The program in README.md is Snippets/ReadMe.swift, byte for byte; every build compiles that.
check_readme_program() {
    if ! diff <(sed -n '/^```swift$/,/^```$/{/^```/d;p}' "$ROOT/README.md") "$ROOT/Snippets/ReadMe.swift" >&2; then
        complain "README.md's Swift program differs from Snippets/ReadMe.swift: copy one over the other."
    fi
}

# check_dynamic_libraries FILE: a fresh token must not cost loading libcurl's thirty libraries.
check_dynamic_libraries() {
    local needed
    needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    say "$1 loads at start: $(tr '\n' ' ' <<<"$needed")"
    if grep -E 'libcurl|libmicrohttpd|libpq|Foundation' <<<"$needed" >&2; then
        complain "The release command must not name these libraries: they are opened at first use."
    fi
    if ! grep -q 'libcrypto' <<<"$needed"; then
        complain "readelf found no libcrypto in $1: is it the command that was just built?"
    fi
}

# What names a fault point's handler, and the halves of a call that waits for one: there are none where points are off.
readonly FAULT_POINT_HANDLING='10FaultPointV(7handler|8\$handler|7reached[[:alnum:]]*T[QY])|14FaultInjection'

# check_fault_points FILE: tests stop, fail and kill debug builds at named points; nothing may act there in a release.
check_fault_points() {
    local symbols
    if ! symbols=$(nm "$1" 2>/dev/null) || ! grep -q '11AuthKitCore' <<<"$symbols"; then
        complain "nm found no symbols of AuthKitCore in $1: whether its fault points are off cannot be told."
    elif grep -E "$FAULT_POINT_HANDLING" <<<"$symbols" >&2; then
        complain "$1 has fault points that act: build it without DEBUG, and keep AuthKitTesting out of it."
    else
        say "$1 has no fault points that act."
    fi
}
