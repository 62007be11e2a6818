#!/bin/sh
# Runs deploy/compose.yml as it is, by docker-compose and Podman, with the image of deploy/Dockerfile: a picture is
# traced in it, a backup is made by its command, it is started anew with everything there, and it stops in time. Needs
# root, and Debian's debootstrap, buildah, podman, netavark, iptables, runc and docker-compose. Leaves nothing behind.
# With IMAGE_STORE, the image localhost/markwright of that folder of buildah is taken.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d /var/tmp/markwright-compose-XXXXXX)
images=${IMAGE_STORE:-$work}
. "$root/scripts/podmanService.sh"
end() {
  end_podman
  rm -rf "$work"
}
trap end EXIT INT TERM
[ -n "${IMAGE_STORE:-}" ] || "$root/scripts/buildImage.sh" "$work"

start_podman
export MARKWRIGHT_IMAGE=localhost/markwright:latest

# The first version of Compose does not know the name of a project.
sed '/^name:/d' "$root/deploy/compose.yml" >"$work/compose.yml"
compose() { docker-compose --project-name markwright-try --file "$work/compose.yml" "$@"; }
# Not by Compose: its first version loses the outcome of a command at Podman.
inside() { podman exec "$container" "$@"; }
await() {
  for _ in $(seq 180); do
    [ "$(curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:3000/api/ready)" != 200 ] || return 0
    sleep 1
  done
  compose logs; tail -20 "$work/podman.log"; exit 1
}

echo 'The service of deploy/compose.yml.'
compose up -d --no-build
container=$(compose ps -q markwright)
await
[ "$(inside id -u)" = 10001 ]
if podman exec --user 0 "$container" touch /app/proof 2>/dev/null; then echo 'Its files can be written.'; exit 1; fi
password=$(compose logs --no-color | sed -n "s/.*with the password \([^ ]*\) .*/\1/p" | head -1)
picture() { node "$root/scripts/tryPicture.mjs" http://127.0.0.1:3000 "$password" "$@"; }
picture make
inside markwright backup /data/backups/today
inside markwright verify /data/backups/today
echo 'The same, started anew.'
compose restart --timeout 60
await
picture find
compose stop --timeout 60
compose ps
echo 'Compose works: a picture was traced, backed up, and found after a restart.'
