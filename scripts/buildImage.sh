#!/bin/sh
# Builds the image of deploy/Dockerfile as localhost/markwright, on a base of Debian's packages and this machine's Node,
# localhost/markwright-base. Run: buildImage.sh WORK, a folder whose `store` and `run` are the storage of buildah. Needs
# root, debootstrap and buildah.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$1
export STORAGE_DRIVER=vfs
store="--root $work/store --runroot $work/run"

echo 'The base: Debian, Node and the certificates of this machine.'
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
debootstrap --variant=minbase --include=ca-certificates bookworm "$work/base" "$mirror" >"$work/debootstrap.log" 2>&1 ||
  { tail -5 "$work/debootstrap.log"; exit 1; }
node=$(node -p process.execPath)
modules=$(npm root -g)
mkdir -p "$work/base/usr/local/bin" "$work/base/usr/local/lib/node_modules"
cp "$node" "$work/base/usr/local/bin/node"
cp -a "$modules/npm" "$work/base/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
cp -a /etc/ssl/certs/. "$work/base/etc/ssl/certs/"
rm -rf "$work"/base/var/cache/apt/archives/*.deb
container=$(buildah $store from scratch)
buildah $store copy -q "$container" "$work/base" / >/dev/null
# npm trusts what this machine's does.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  buildah $store copy -q "$container" "$NODE_EXTRA_CA_CERTS" /etc/ssl/extra.crt >/dev/null
  buildah $store config --env NODE_EXTRA_CA_CERTS=/etc/ssl/extra.crt "$container"
fi
buildah $store commit -q "$container" localhost/markwright-base >/dev/null
buildah $store rm "$container" >/dev/null
rm -rf "$work/base"

echo 'The image.'
# The sources as a clone has them.
mkdir "$work/sources"
git -C "$root" ls-files -z | (cd "$root" && xargs -0 tar -cf -) | tar -xf - -C "$work/sources"
buildah $store bud -q --isolation chroot --pull-never --build-arg BASE=localhost/markwright-base \
  --volume /etc/resolv.conf:/etc/resolv.conf:ro -f "$work/sources/deploy/Dockerfile" \
  -t localhost/markwright "$work/sources"
rm -rf "$work/sources"
