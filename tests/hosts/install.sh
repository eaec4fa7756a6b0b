#!/bin/sh
# The web servers that tests/hosts runs: nginx, Caddy and Apache, from the packages of Debian or Ubuntu.
# Does nothing where they are installed; where they cannot be installed it says so and the tests that need them are skipped
# (with CI set, they fail).
set -eu

missing=
for program in nginx caddy apache2; do
    PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null || missing="$missing $program"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "Not installed:$missing. As root, on Debian or Ubuntu: apt-get install --no-install-recommends nginx-light caddy apache2" >&2
    exit 0
fi

# A policy that forbids it keeps packages from starting their services; one that is there stays.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends nginx-light caddy apache2 >/dev/null
