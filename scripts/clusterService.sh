#!/bin/sh
# The services beside Markwright in deploy/compose.cluster.yml, from Debian's packages in one image: reads the variables
# of the images that the file names, or their mounted files, and runs the service that they belong to. For
# scripts/tryCluster.sh.
set -eu

as_postgres='--reuid=postgres --regid=postgres --clear-groups'

if [ -n "${POSTGRES_USER:-}" ]; then
  bin=$(echo /usr/lib/postgresql/*/bin)
  data=/var/lib/postgresql/data
  chown postgres:postgres /var/lib/postgresql
  if [ ! -s $data/PG_VERSION ]; then
    echo "$POSTGRES_PASSWORD" >/tmp/password
    setpriv $as_postgres "$bin/initdb" -D $data -U "$POSTGRES_USER" --pwfile /tmp/password -A scram-sha-256 \
      -E UTF8 $POSTGRES_INITDB_ARGS
    rm /tmp/password
    echo 'host all all all scram-sha-256' >>$data/pg_hba.conf
    echo "create database $POSTGRES_DB" | setpriv $as_postgres "$bin/postgres" --single -D $data postgres
  fi
  exec setpriv $as_postgres "$bin/postgres" -D $data -c listen_addresses='*'
fi

if [ -n "${DB_HOST:-}" ]; then
  printf '"%s" "%s"\n' "$DB_USER" "$DB_PASSWORD" >/tmp/users
  cat >/tmp/pgbouncer.ini <<INI
[databases]
$DB_NAME = host=$DB_HOST port=5432 dbname=$DB_NAME
[pgbouncer]
listen_addr = *
listen_port = $LISTEN_PORT
unix_socket_dir =
auth_type = $AUTH_TYPE
auth_file = /tmp/users
pool_mode = $POOL_MODE
default_pool_size = $DEFAULT_POOL_SIZE
max_client_conn = $MAX_CLIENT_CONN
INI
  chown postgres /tmp/users /tmp/pgbouncer.ini
  exec setpriv $as_postgres pgbouncer /tmp/pgbouncer.ini
fi

if [ -n "${MINIO_ROOT_USER:-}" ]; then
  sed -e 's/127\.0\.0\.1:7480/0.0.0.0:9000/g' -e "s/mwaccess/$MINIO_ROOT_USER/" \
    -e "s/mwsecretmwsecret/$MINIO_ROOT_PASSWORD/" /usr/local/lib/s3/start.sh >/tmp/start.sh
  bash /tmp/start.sh /store/ceph
  trap 'exit 0' TERM INT
  sleep infinity &
  wait
fi

if [ -e /etc/prometheus/markwright.rules.yml ]; then
  exec setpriv --reuid=nobody --regid=nogroup --clear-groups prometheus --config.file /etc/prometheus/prometheus.yml \
    --storage.tsdb.path /tmp/prometheus
fi

exec nginx -g 'daemon off;'
