// Of each counter of powercap's polls the readings, the duration and the energy, a fall being a wrap at the least range
// of RAPL that holds the counter: DuckDB with declared types and one lag() a counter, 2 threads (THREADS=n).
import { createRequire } from 'module';
import path from 'path';
const req = createRequire(path.join(process.env.PEER_NODE || process.cwd(), 'x.js'));
const { DuckDBInstance } = await import(req.resolve('@duckdb/node-api'));
const [file] = process.argv.slice(2);
const inst = await DuckDBInstance.create(':memory:', { threads: process.env.THREADS || '2', temp_directory: '/tmp' });
const c = await inst.connect();
await c.run("set preserve_insertion_order=false");
const names = ['package-0', 'package-1', 'dram-0', 'dram-1'];
const columns = ["'timestamp':'DOUBLE'", ...names.map(name => `'${name}':'BIGINT'`)].join(',');
const ranges = name => `case when max("${name}") <= 65532610987 then 65532610987 when max("${name}") <= 65712999613
  then 65712999613 else 262143328850 end`;
const rise = name => `"${name}" - lag("${name}") over (order by timestamp) as "d-${name}"`;
const each = name => `(sum("d-${name}") + ${ranges(name)} * count(*) filter ("d-${name}" < 0))::DOUBLE / 1e6`;
const sql = `with s as (select *, ${names.map(rise).join(', ')} from read_csv('${file}', auto_detect=false, header=true,
  delim=',', quote='', escape='', columns={${columns}}))
  select count(*)::DOUBLE, (max(round(timestamp*1000)) - min(round(timestamp*1000)))/1000, ${names.map(each).join(', ')}
  from s`;
const rows = (await c.runAndReadAll(sql)).getRows();
const [n, seconds, ...energies] = rows[0];
names.forEach((name, i) => console.log([name, n, seconds, energies[i]].join('\t')));
