#!/bin/sh
# Says which of the web servers that tests/hosts asks, and whether the browser that tests/site opens, are not on this
# machine, and what installing them would do.
# With HOSTS=1 in the environment it does it: packages of Debian or Ubuntu, for the whole system.  What is there is used.
# chromium-headless-shell is Chromium without windows, in which the same tests take two thirds of the time.
set -eu

packages=
for each in nginx:nginx-light caddy:caddy apache2:apache2 chromium-headless-shell:chromium-headless-shell,fonts-liberation khal:khal vdirsyncer:vdirsyncer; do
    PATH="$PATH:/usr/sbin" command -v "${each%:*}" >/dev/null || packages="$packages $(echo "${each#*:}" | tr , " ")"
done
[ -n "$packages" ] || exit 0
install="apt-get install --no-install-recommends$packages"
echo "tests/hosts asks real web servers whether they follow the rules made for them, and tests/site opens pages in a browser."
echo "Not on this machine:$packages"

case "${HOSTS:-}" in
1 | true) ;;
*)
    echo "Nothing is installed, and the tests that need them are skipped. To run these too, as root on Debian or Ubuntu:"
    echo "    make test HOSTS=1      # first runs, for the whole system: $install"
    exit 0
    ;;
esac
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "They cannot be installed here. As root, on Debian or Ubuntu: $install" >&2
    exit 1
fi

# A policy that forbids it keeps packages from starting their services; one that is there stays.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
fi
echo "Installing them for the whole system, without starting their services: $install"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-cache show chromium-headless-shell >/dev/null 2>&1 || packages=$(echo "$packages" | sed 's/chromium-headless-shell/chromium/')
apt-get install -y -qq --no-install-recommends $packages >/dev/null
