# Podman's service for docker-compose, for the scripts that source this file: `start_podman` takes the images of the
# folder $images, and `end_podman` ends it with the containers that `compose` made. It works in the folder $work.
service=
driver=none

start_podman() {
  # A sandbox allows no more open files than it has itself, and may have both kinds of control groups at once, which
  # runc takes and crun does not.
  files=$(ulimit -Hn)
  cat >"$work/containers.conf" <<CONF
[containers]
default_ulimits = ["nofile=$files:$files", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
events_logger = "file"
[network]
network_backend = "netavark"
CONF
  driver=$(basename "$images"/store/*-images | sed 's/-images$//')
  printf '[storage]\ndriver = "%s"\ngraphroot = "%s/store"\nrunroot = "%s/run"\n' "$driver" "$images" "$images" \
    >"$work/storage.conf"
  export CONTAINERS_CONF="$work/containers.conf" CONTAINERS_STORAGE_CONF="$work/storage.conf" DISABLE_HC_SYSTEMD=true
  export DOCKER_HOST="unix://$work/podman.sock" COMPOSE_HTTP_TIMEOUT=200
  podman system service --time 0 "$DOCKER_HOST" >"$work/podman.log" 2>&1 &
  service=$!
  for _ in $(seq 60); do [ ! -S "$work/podman.sock" ] || break; sleep 1; done
}

end_podman() {
  if [ -n "$service" ]; then
    compose down --volumes --timeout 60 >/dev/null 2>&1 || true
    # A service that starts again and again may have slipped through.
    podman network rm --force markwright-try_default >/dev/null 2>&1 || true
    podman volume rm --all --force >/dev/null 2>&1 || true
    kill "$service" 2>/dev/null || true
    wait "$service" 2>/dev/null || true
  fi
  umount -R "$images/store/$driver" 2>/dev/null || true
}
