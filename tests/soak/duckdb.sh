#!/usr/bin/env bash
# usage: tests/soak/duckdb.sh BIN
#
# A store's tables and views in DuckDB's SQL, which its reader of SQLite files hands them to. That reader is no package:
# the statements of the schema are run as they are, and every view is read. Skipped where npm or sqlite3 is missing.
set -u
program=$(realpath "$1")
datasets=$(cd "$(dirname "$0")/../../datasets" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for tool in node npm sqlite3; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool" && exit 0; }
done
cd "$work" || exit 1
echo '{"private": true}' >package.json
if ! npm install --no-audit --no-fund --silent @duckdb/node-api >/dev/null 2>&1; then
    echo "skipped: npm has no DuckDB"
    exit 0
fi

cp -r "$datasets/demo" campaign
"$program" ingest campaign -q >/dev/null || exit 1
store=campaign/campaign.wattscale
sqlite3 $store "select sql || ';' from sqlite_schema where type in ('table', 'view')" >schema.sql
sqlite3 $store "select name from sqlite_schema where type = 'view'" >views
cat >read.mjs <<'SCRIPT'
import { readFileSync } from "fs";
import { DuckDBInstance } from "@duckdb/node-api";
const duck = await (await DuckDBInstance.create(":memory:")).connect();
const read = (file, end) => readFileSync(file, "utf8").split(end).filter((text) => text.trim());
for (const statement of read("schema.sql", ";\n")) await duck.run(statement);
for (const view of read("views", "\n")) await duck.run(`select * from ${view}`);
console.log(`${read("views", "\n").length} views are read`);
SCRIPT
node read.mjs
