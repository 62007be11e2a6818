#!/bin/sh
# Runs deploy/compose.cluster.yml as it is, by docker-compose and Podman, with the image of deploy/Dockerfile. The
# services beside it come from Debian's packages, in one image: PostgreSQL, PgBouncer, nginx, Prometheus, and Ceph's
# RADOS Gateway in place of MinIO. Grafana, which Debian has not, is left out. A picture is uploaded, traced and
# exported through nginx, found through each of the two servers, and found while one of them is away. Prometheus reads
# all servers and evaluates the alerts. Needs root, Debian's debootstrap, buildah, podman, netavark, iptables,
# aardvark-dns, runc and docker-compose, and S3_TOOLS_DIR or ../shared/tools/s3. Leaves nothing behind. With
# IMAGE_STORE, the image localhost/markwright of that folder of buildah is taken.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d /var/tmp/markwright-cluster-XXXXXX)
images=${IMAGE_STORE:-$work}
tools=${S3_TOOLS_DIR:-$root/../shared/tools/s3}
. "$root/scripts/podmanService.sh"
end() {
  [ -z "$checks" ] || kill "$checks" 2>/dev/null || true
  end_podman
  rm -rf "$work"
}
checks=
trap end EXIT INT TERM
[ -n "${IMAGE_STORE:-}" ] || "$root/scripts/buildImage.sh" "$work"

echo 'The image of the services beside it.'
store="--root $images/store --runroot $images/run"
from() { buildah $store from --pull-never "localhost/markwright-$1"; }
container=$(from services 2>/dev/null || from base)
inside() { buildah $store run --isolation chroot --volume /etc/resolv.conf:/etc/resolv.conf:ro "$container" -- "$@"; }
packages='postgresql pgbouncer nginx-light prometheus curl uuid-runtime radosgw ceph-mon ceph-osd ceph-common'
inside sh -c "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages" \
  >"$work/packages.log" 2>&1 || { tail -20 "$work/packages.log"; exit 1; }
# What the file asks of MinIO's client: “alias set store URL KEY SECRET” and “mb --ignore-existing store/BUCKET”.
cat >"$work/mc" <<'MC'
#!/bin/sh
[ "$1" != alias ] || echo "$4 $5 $6" >/tmp/store
read -r url key secret </tmp/store
unsigned=x-amz-content-sha256:UNSIGNED-PAYLOAD
call() { curl -sf -o /dev/null -H $unsigned --aws-sigv4 aws:amz:us-east-1:s3 --user "$key:$secret" "$@"; }
if [ "$1" = alias ]; then call "$url/"; else call -X PUT "$url/${3#store/}"; fi
MC
chmod +x "$work/mc"
buildah $store copy -q "$container" "$work/mc" /usr/local/bin/mc >/dev/null
buildah $store copy -q "$container" "$tools/start.sh" /usr/local/lib/s3/start.sh >/dev/null
buildah $store copy -q "$container" "$root/scripts/clusterService.sh" /usr/local/bin/clusterService >/dev/null
buildah $store config --entrypoint '["sh", "/usr/local/bin/clusterService"]' --cmd '' "$container"
buildah $store commit -q "$container" localhost/markwright-services >/dev/null
buildah $store rm "$container" >/dev/null

start_podman
cp -a "$root/deploy/." "$work/deploy"
sed '/^name:/d' "$root/deploy/compose.cluster.yml" >"$work/deploy/compose.cluster.yml"
for name in POSTGRES PGBOUNCER NGINX STORE STORE_CLIENT PROMETHEUS; do
  export "${name}_IMAGE=localhost/markwright-services:latest"
done
export MARKWRIGHT_IMAGE=localhost/markwright:latest HTTP_PORT=8080 PUBLIC_URL=http://127.0.0.1:8080
export ADMIN_EMAIL=admin@markwright.local ADMIN_PASSWORD=walnut-board DATABASE_PASSWORD=oak S3_ACCESS_KEY_ID=markwright
export S3_SECRET_ACCESS_KEY=maple-and-walnut SECRET_KEY=$(node -p "crypto.randomBytes(32).toString('hex')") SMTP_URL=
compose() { docker-compose --project-name markwright-try --file "$work/deploy/compose.cluster.yml" "$@"; }
# Podman's health checks are timers of systemd, which a sandbox has not.
while sleep 2; do podman healthcheck run markwright-try_postgres_1 >/dev/null 2>&1 || true; done &
checks=$!
addressOf() { podman inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "markwright-try_$1_1"; }
await() {
  for _ in $(seq 180); do
    [ "$(curl -s -o /dev/null -w '%{http_code}' "$1/api/ready")" != 200 ] || return 0
    sleep 1
  done
  compose logs --tail 40; tail -20 "$work/podman.log"; exit 1
}
picture() { node "$root/scripts/tryPicture.mjs" "$1" "$ADMIN_PASSWORD" "$2"; }

echo 'The services of deploy/compose.cluster.yml.'
compose up -d --no-build || { compose logs --tail 20 2>&1 | grep -v bdev; tail -20 "$work/podman.log"; exit 1; }
for server in web-1 web-2; do await "http://$(addressOf $server):3000"; done
await "$PUBLIC_URL"
picture "$PUBLIC_URL" make
for server in web-1 web-2; do picture "http://$(addressOf $server):3000" find; done
echo 'Prometheus of its profile.'
compose up -d --no-build prometheus
node "$root/scripts/tryPrometheus.mjs" "http://$(addressOf prometheus):9090"
compose stop --timeout 60 web-1
picture "$PUBLIC_URL" find
compose ps
echo 'The cluster works: a picture was traced and exported, found by both servers and by one alone, with their metrics.'
