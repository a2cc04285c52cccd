#!/bin/sh
# Run once by the Postgres image, on an empty volume: a role for the bot that owns nothing.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$BOT_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role countersign_bot login password :'password';
SQL
