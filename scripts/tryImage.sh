#!/bin/sh
# Builds the image of deploy/Dockerfile on a base of Debian's packages and this machine's Node, and tries it: not root,
# the root file system cannot be written. Needs root, debootstrap and buildah. Leaves nothing behind. With IMAGE_STORE,
# the image localhost/markwright of that folder of buildah is taken.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d /var/tmp/markwright-image-XXXXXX)
images=${IMAGE_STORE:-$work}
export STORAGE_DRIVER=vfs
store="--root $images/store --runroot $images/run"
container=
server=
end() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ -z "$container" ] || buildah $store rm "$container" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap end EXIT INT TERM

[ -n "${IMAGE_STORE:-}" ] || "$root/scripts/buildImage.sh" "$work"

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
[ -n "$url" ] || { cat "$work/server.log"; exit 1; }
# Not even root can write in it.
if nsenter -t $server -m touch "$mount/proof" 2>/dev/null; then echo 'Its root file system can be written.'; exit 1; fi
node "$root/scripts/tryPicture.mjs" "$url" walnut-board make || { tail -20 "$work/server.log"; exit 1; }
kill $server
wait $server || true
server=
echo 'The image works: a picture was traced in it, not as root, on a root file system that cannot be written.'
