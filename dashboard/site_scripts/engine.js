/* DuckDB-WASM behind three words: open, load a Parquet file as a table, run a statement. Everything is fetched from this
   folder: DuckDB's own Parquet reader is an extension from another host, so parquet-wasm reads the files into Arrow. */
const here = (name) => new URL(name, import.meta.url).href;

function classic(address) {
  return new Promise((done, failed) => {
    const script = Object.assign(document.createElement("script"), { src: address, onload: done });
    script.onerror = () => failed(new Error(`${address} could not be fetched`));
    document.head.append(script);
  });
}

/* DuckDB itself is served as gzip, since some hosts take no file of its size; a host may have unpacked it on the way. */
async function unpacked(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} could not be fetched (${answer.status})`);
  const held = await answer.blob(), [first, second] = new Uint8Array(await held.slice(0, 2).arrayBuffer());
  const is_packed = first === 0x1f && second === 0x8b;
  const stream = is_packed ? held.stream().pipeThrough(new DecompressionStream("gzip")) : held.stream();
  return new Response(stream, { headers: { "Content-Type": "application/wasm" } }).blob();
}

export async function open(told) {
  told("Fetching DuckDB …");
  await classic(here("arrow.min.js"));
  const [duckdb, parquet] = await Promise.all([import(here("duckdb.js")), import(here("parquet_wasm.js"))]);
  await parquet.default({ module_or_path: here("parquet_wasm_bg.wasm") });
  const worker = new Worker(here("duckdb-browser-eh.worker.js"));
  const database = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), worker);
  const whole = URL.createObjectURL(await unpacked(here("duckdb-eh.wasm.packed")));
  await database.instantiate(whole);
  URL.revokeObjectURL(whole);
  await database.open({ path: ":memory:", query: { castBigIntToDouble: true, castDecimalToDouble: true } });
  const connection = await database.connect();
  for (const name of ["autoinstall_known_extensions", "autoload_known_extensions"]) await connection.query(`SET ${name} = false`);
  return {
    async load(schema, name, bytes) {
      await connection.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
      await connection.insertArrowFromIPCStream(parquet.readParquet(bytes).intoIPCStream(), { schema, name, create: true });
    },
    /* The first `most` rows, each cell as a text, a number or null; whether there are more. */
    async run(sql, most) {
      const names = [], numeric = [], rows = [];
      for await (const batch of await connection.send(sql)) {
        if (!names.length) for (const field of batch.schema.fields) { names.push(field.name); numeric.push(/^(Int|Uint|Float|Decimal)/.test(String(field.type))); }
        const readers = batch.schema.fields.map((field, place) => reader(String(field.type), batch.getChildAt(place)));
        for (let at = 0; at < batch.numRows; at++) {
          if (rows.length === most) { await connection.cancelSent().catch(() => {}); return { names, numeric, rows, isCut: true }; }
          rows.push(readers.map((read) => read(at)));
        }
      }
      return { names, numeric, rows, isCut: false };
    },
    close() { worker.terminate(); },
  };
}

function reader(type, column) {
  const isDay = type.startsWith("Date"), isMoment = type.startsWith("Timestamp");
  return (at) => {
    const value = column.get(at);
    if (value === null || value === undefined) return null;
    if (isDay || isMoment) {
      const text = new Date(Number(value)).toISOString();
      return isDay || text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text;
    }
    if (typeof value === "number" || typeof value === "boolean") return typeof value === "number" ? value : String(value);
    if (typeof value === "object") return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner));
    return String(value);
  };
}
