#!/bin/sh
# sh tests/hosts/programs.sh FOLDER
# Fills FOLDER with links to the programs that README.md asks for: Python, Node with npm, make, git and the tools of a
# shell. With FOLDER as its only PATH, a test cannot use another program that happens to be on this machine.
set -eu
folder=$1

shell="sh bash env [ awk basename cat chmod cmp comm cp cut date df diff dirname du echo expr false find getconf grep gzip
head id kill ln ls mkdir mkfifo mktemp mv nproc od paste printf ps pwd readlink realpath rm rmdir sed seq sha256sum sleep sort
stat tail tar tee test timeout touch tr true tty uname uniq wc which xargs"
wanted="python3 node npm npx make git $shell"

rm -rf "$folder"
mkdir -p "$folder"
for name in $wanted; do
    # `command -v` answers with a bare name for what is built into the shell, so the PATH is searched here.
    IFS=:
    for place in $PATH; do
        if [ -f "$place/$name" ] && [ -x "$place/$name" ]; then
            ln -s "$place/$name" "$folder/$name"
            break
        fi
    done
    unset IFS
done
