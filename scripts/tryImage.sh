#!/bin/sh
# Builds the image of deploy/Dockerfile on a base of Debian's packages and this machine's Node, and tries it: not root,
# the root file system cannot be written. Needs root, debootstrap and buildah. Leaves nothing behind.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d /var/tmp/markwright-image-XXXXXX)
export STORAGE_DRIVER=vfs
store="--root $work/store --runroot $work/run"
container=
end() {
  [ -z "$container" ] || buildah $store rm "$container" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap end EXIT INT TERM

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
  --volume /etc/resolv.conf:/etc/resolv.conf:ro -f "$work/sources/deploy/Dockerfile" -t localhost/markwright "$work/sources"

echo 'A server of it.'
container=$(buildah $store from --pull-never localhost/markwright)
mount=$(buildah $store mount "$container")
mkdir "$work/data"
chown 10001:10001 "$work/data"
# Its files, a place to write at /data and /tmp, nobody's rights.
cat >"$work/try.sh" <<'INNER'
set -eu
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
mount --bind "$2" "$1/data"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mount -t proc proc "$1/proc"
mount -t devtmpfs devtmpfs "$1/dev" 2>/dev/null || mount --bind /dev "$1/dev"
exec chroot --userspec=10001:10001 "$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/data \
  NODE_ENV=production HOST=127.0.0.1 PORT=0 DATA_DIR=/data ADMIN_PASSWORD=walnut-board WORKERS=1 markwright serve
INNER
: >"$work/server.log"
unshare --mount sh "$work/try.sh" "$mount" "$work/data" >"$work/server.log" 2>&1 &
server=$!
url=
for _ in $(seq 120); do
  url=$(sed -n 's/^Markwright is ready at //p' "$work/server.log")
  [ -z "$url" ] || break
  kill -0 $server 2>/dev/null || { cat "$work/server.log"; exit 1; }
  sleep 1
done
[ -n "$url" ] || { cat "$work/server.log"; kill $server; exit 1; }
! touch "$mount/proof" 2>/dev/null || rm "$mount/proof"
node --input-type=module -e '
const [url, picture] = process.argv.slice(1);
const call = async (path, init) => {
  const response = await fetch(url + path, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};
const json = { "content-type": "application/json" };
const { token } = await call("/api/auth/login", { method: "POST", headers: json,
  body: JSON.stringify({ email: "admin@markwright.local", password: "walnut-board" }) });
const { readFileSync } = await import("node:fs");
const form = new FormData();
form.append("file", new File([readFileSync(picture)], "picture.png", { type: "image/png" }));
const headers = { authorization: `Bearer ${token}` };
const { id } = await call("/api/designs/upload", { method: "POST", headers, body: form });
const trace = await call("/api/designs/vectorize", { method: "POST", headers: { ...headers, ...json },
  body: JSON.stringify({ designId: id }) });
if (!JSON.stringify(trace).includes("svg")) throw new Error("no trace");
if ((await fetch(url)).status !== 200) throw new Error("no page");
' "$url" "$root/docs/screenshots/studio-wide.png" || { tail -20 "$work/server.log"; kill $server; exit 1; }
kill $server
wait $server || true
umount -R "$mount" 2>/dev/null || true
echo 'The image works: a picture was traced in it, not as root, on a root file system that cannot be written.'
