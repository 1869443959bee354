# Shared by the scripts in this folder; sourced, never run. Works with the bash 3.2 of macOS.
# shellcheck shell=bash

# The oldest Swift version that can build the package.
swift_needed_major=6
swift_needed_minor=3

# The options of all optimised builds in scripts, so that these share their products. Debug information takes an eighth of the build
# time: without it, a crash report names the function, and a debug build gives the line. Measured on Linux only. (The index is needed:
# it is used for finding tests.)
# shellcheck disable=SC2034
release_options=(-c release)
[ "$(uname -s)" = Darwin ] || release_options+=(-debug-info-format none)

# Exit codes of sysexits.h, distinct from the tool's own 0, 1, 2 and 64.
exit_unavailable=69
exit_software=70

# Builds with `swift build`. The compiler spends an eighth of its time on allocating and freeing memory: jemalloc, if installed
# (`tools/install-dependencies` gets it with apt), makes every build a tenth faster. Only the build uses it.
swift_build() { (exec_swift_build "$@"); }

# Does the same in place of this process.
exec_swift_build() {
    local library
    for library in "/usr/lib/$(uname -m)-linux-gnu/libjemalloc.so.2" /usr/lib64/libjemalloc.so.2; do
        [ ! -e "$library" ] || export LD_PRELOAD="$library${LD_PRELOAD:+:$LD_PRELOAD}"
    done
    exec swift build "$@"
}

say() { printf '%s\n' "$*" >&2; }

fail() {
    local code=$1
    shift
    say "$@"
    exit "$code"
}

# Homebrew installs some libraries where pkg-config does not look ("keg-only"), and has libbson 2, whose pkg-config
# name differs from that of libbson 1. `Package.swift` reads REALMFILE_LIBBSON.
set_up_environment() {
    if [ "$(uname -s)" = Darwin ] && command -v brew >/dev/null; then
        local keg
        for keg in openssl@3 json-c minizip mongo-c-driver pcre2; do
            local folder
            folder="$(brew --prefix)/opt/$keg/lib/pkgconfig"
            if [ -d "$folder" ]; then
                export PKG_CONFIG_PATH="$folder${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
            fi
        done
    fi
    if [ -z "${REALMFILE_LIBBSON:-}" ] && command -v pkg-config >/dev/null; then
        if pkg-config --exists libbson-1.0; then
            export REALMFILE_LIBBSON=libbson-1.0
        elif pkg-config --exists bson2; then
            export REALMFILE_LIBBSON=bson2
        fi
    fi
}

# Prints the names of missing dependencies, which `tools/install-dependencies` must provide.
missing_libraries() {
    if ! command -v pkg-config >/dev/null; then
        printf 'pkg-config libbson libedit json-c libcrypto libpcre2-8 minizip zlib'
        return
    fi
    local missing=""
    pkg-config --exists libbson-1.0 || pkg-config --exists bson2 || missing="libbson"
    local name
    # macOS has libedit without a pkg-config file.
    local libedit=libedit
    [ "$(uname -s)" != Darwin ] || libedit=""
    for name in $libedit json-c libcrypto libpcre2-8 minizip zlib; do
        pkg-config --exists "$name" || missing="${missing:+$missing }$name"
    done
    printf '%s' "$missing"
}

require_swift() {
    local needed="$swift_needed_major.$swift_needed_minor"
    command -v swift >/dev/null || fail "$exit_unavailable" \
        "No Swift toolchain found: RealmFile needs Swift $needed or newer. Get it from https://www.swift.org/install and put its bin folder into PATH."
    local text version major minor
    text=$(swift --version 2>/dev/null) || fail "$exit_unavailable" \
        "'swift --version' failed: the toolchain at $(command -v swift) does not run on this machine. RealmFile needs Swift $needed or newer: https://www.swift.org/install"
    version=${text#*Swift version }
    version=${version%%[!0-9.]*}
    major=${version%%.*}
    minor=${version#*.}
    minor=${minor%%.*}
    case "$major.$minor" in
    [0-9]*.[0-9]*) ;;
    *) fail "$exit_unavailable" "Cannot tell the version of $(command -v swift). RealmFile needs Swift $needed or newer: https://www.swift.org/install" ;;
    esac
    if [ "$major" -lt "$swift_needed_major" ] ||
        { [ "$major" -eq "$swift_needed_major" ] && [ "$minor" -lt "$swift_needed_minor" ]; }; then
        fail "$exit_unavailable" \
            "Swift $version found at $(command -v swift), but RealmFile needs $needed or newer: https://www.swift.org/install"
    fi
}
