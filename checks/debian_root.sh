# A Debian in a folder of its own, in which Entente is built for another system and run there. Sourced by checks/windows
# and checks/arm64, which set `target`, `tools`, `packages` and `settings`, from the root of the checkout.
#
# Debian's Rust has the source of its standard library, so no target of rustup is needed. The folder is target/debian, or
# what ENTENTE_DEBIAN names. Needs root rights and debootstrap (apt install debootstrap); what is mounted there is seen by
# the commands inside only.

debian=${ENTENTE_DEBIAN:-$PWD/target/debian}
cargo_home=${CARGO_HOME:-$HOME/.cargo}
native=${CARGO_TARGET_DIR:-target}/release/entente

selected=(
    --locked --release --target "$target" -Zbuild-std=std,panic_abort,panic_unwind,test,proc_macro
    --workspace --exclude entente-trainer --exclude entente-python --features entente-cli/full
)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# Makes the folder if there is none, and installs the packages that are missing.
make_root() {
    [ "$(id -u)" = 0 ] || fail "needs root rights, to install a Debian in a folder"
    command -v debootstrap >/dev/null || fail "debootstrap is missing: apt install debootstrap"
    if ! [ -e "$debian/etc/debian_version" ]; then
        # An unfinished one is made again from scratch.
        rm -rf "$debian.part"
        debootstrap --variant=minbase trixie "$debian.part"
        mv "$debian.part" "$debian"
    fi
    cp /etc/resolv.conf "$debian/etc/resolv.conf"
    mkdir -p "$debian/src" "$debian/cargo" "$debian/target" "$cargo_home/registry"
    local missing
    missing=$(comm -13 <(chroot "$debian" dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | sort) \
        <(printf '%s\n' "${packages[@]}" | sort))
    if [ -n "$missing" ]; then
        chroot "$debian" apt-get update -qq
        # shellcheck disable=SC2086 # one word a package
        chroot "$debian" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
    fi
}

# Runs a command in the folder, with the checkout as /src, which cannot be written, and the results of builds in /target.
# shellcheck disable=SC2016 # expanded by the shell inside
inside() {
    unshare --mount --pid --fork --kill-child bash -euc '
        debian=$1 sources=$2 cargo_home=$3
        shift 3
        mount -t proc proc "$debian/proc"
        mount --rbind /dev "$debian/dev"
        mount -t tmpfs tmpfs "$debian/tmp"
        mount --bind -o ro "$sources" "$debian/src"
        mount --bind "$cargo_home" "$debian/cargo"
        # Not exec: as the first process of its namespace, the command would ignore Ctrl-C.
        status=0
        chroot "$debian" env --ignore-environment --chdir=/src TERM="${TERM:-dumb}" HOME=/root CARGO_HOME=/cargo \
            PATH=/usr/sbin:/usr/bin:/sbin:/bin CARGO_TARGET_DIR=/target RUSTC_BOOTSTRAP=1 "$@" || status=$?
        exit "$status"
    ' inside "$debian" "$PWD" "$cargo_home" "${settings[@]}" "$@"
}

# Builds the program of the target, and puts it as $1 into a folder of target/, without its symbols.
build_program() {
    local name
    name=$(basename "$1")
    inside cargo build "${selected[@]}" --bin entente
    inside "$tools-strip" -o "/target/$name" "/target/$target/release/$name"
    mkdir -p "$(dirname "$1")"
    mv "$debian/target/$name" "$1"
    ls -l "$1"
}

# Builds and runs tests of the engine's crates, with these arguments of cargo, and counts them.
run_tests() {
    local status=0 log=$debian/target/tests-$target.txt
    inside cargo test "${selected[@]}" --no-fail-fast "$@" 2>&1 | tee "$log" || status=$?
    awk -v target="$target" '/^test result:/ { passed += $4; failed += $6; ignored += $8 }
        END { printf "%s: %d tests passed, %d failed, %d ignored\n", target, passed, failed, ignored }' "$log"
    return "$status"
}

# Runs a command whose messages are shown only if it fails. Status 1 means that some positions were not found.
quietly() {
    local status=0
    "$@" 2>"$scratch/messages" || status=$?
    if [ "$status" -gt 1 ]; then
        cat "$scratch/messages" >&2
        fail "exit status $status: $*"
    fi
}

# Generates games and a data set with the target's program, run by `run_program`, and with this system's program. The files
# must be the same, byte by byte.
compare_games() {
    local count=$1 file found
    cargo build --release --locked -p entente-cli --features full
    local games=(generate "(1,2,1,1,7)" --realism fast --elo 1500 --seed 5 --format pgn --count "$count")
    quietly "$native" "${games[@]}" >"$scratch/here.pgn"
    quietly run_program "${games[@]}" >"$scratch/there.pgn"
    cmp "$scratch/here.pgn" "$scratch/there.pgn" || fail "games differ"
    found=$(grep -c '^\[Event ' "$scratch/there.pgn" || true)
    [ "$found" = "$count" ] || fail "expected $count games, found $found"
    echo "$found games are the same"

    rm -rf "$debian/target/sets" && mkdir -p "$debian/target/sets"
    cat >"$debian/target/sets/plan.toml" <<'PLAN'
[dataset]
positions = 20
constraints = ["(1,2,1,1,7)", "Q=0 q=0", "N@f5"]
ratings = [1200, 1800]
realism = "fast"
PLAN
    quietly "$native" dataset "$debian/target/sets/plan.toml" --output "$debian/target/sets/here"
    quietly run_program dataset /target/sets/plan.toml --output /target/sets/there
    for file in positions.jsonl positions.parquet dataset.json; do
        cmp "$debian/target/sets/here/$file" "$debian/target/sets/there/$file" || fail "$file of the data set differs"
    done
    echo "a data set of $(wc -l <"$debian/target/sets/there/positions.jsonl") positions is the same"
}
