#!/usr/bin/env bash
# Install the Debian packages named that are missing, as root or with sudo; where that cannot be, say what to type.
# After --optional go packages that nothing needs: where they cannot be installed, all is well.
set -u
if [ "${1:-}" = --optional ]; then
    shift
    "$0" "$@" >/dev/null
    exit 0
fi
missing=()
for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if ! command -v apt-get >/dev/null 2>&1; then
    command -v dpkg-query >/dev/null 2>&1 || exit 0 # not Debian: the compiler will say what it lacks
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    else
        echo "wattscale needs packages that are missing. Type:"
        echo "  sudo apt-get install -y ${missing[*]}"
        exit 1
    fi
fi
echo "installing ${missing[*]}"
install() {
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" \
        >/dev/null 2>&1
}
if ! install; then
    "${as_root[@]}" apt-get update -qq >/dev/null 2>&1
    if ! install; then
        echo "the packages could not be installed. Type:"
        echo "  sudo apt-get update && sudo apt-get install -y ${missing[*]}"
        exit 1
    fi
fi
