/** A database with rows in every table, and what tells it from another one. */
import pg from 'pg';

const ROWS = 5;
/** What COPY, a shell or a spreadsheet would take for something else. */
const STRANGE = ['a\tb', 'line\nbreak\r\n', '\\N', '\\.', 'ü🔥"\'', '', 'null', ' '];

/**
 * Writes rows into every table of a migrated database, as its superuser. A column that refers to another table holds
 * the same value as that one in the same row, so every foreign key is kept. Others hold strange texts, numbers at their
 * limits, and nothing.
 */
export async function fillTables(connection: pg.ClientConfig): Promise<void> {
  await withClient(connection, async (client) => {
    await client.query(`set session_replication_role = 'replica'`);
    const { rows: columns } = await client.query<Column>(`
      select c.oid::regclass::text as "table", quote_ident(attname) as name, format_type(atttypid, null) as type,
        attnotnull as "isRequired", exists (
          select from pg_constraint where conrelid = c.oid and attnum = any(conkey)
            or confrelid = c.oid and attnum = any(confkey)
        ) or exists (select from pg_index where indrelid = c.oid and indisunique and attnum = any(indkey)) as "isKey"
      from pg_class c join pg_attribute on attrelid = c.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
        and attgenerated = ''
      order by 1, attnum`);
    const tables = [...new Set(columns.map(({ table }) => table))];
    await client.query(`truncate ${tables.join(', ')}`);
    for (const table of tables) {
      const ownColumns = columns.filter((column) => column.table === table);
      const isSingle = table === 'installation' || table === 'catalogue_revision';
      for (let i = 1; i <= (isSingle ? 1 : ROWS); i++) {
        const values = ownColumns.map((column, place) => chooseValue(column, i, place));
        const places = values.map((_, place) => `$${place + 1}::text::${ownColumns[place]!.type}`);
        await client.query(
          `insert into ${table} (${ownColumns.map(({ name }) => name)}) overriding system value values (${places})`,
          values,
        );
      }
    }
    const { rows: sequences } = await client.query(`select sequencename from pg_sequences where schemaname = 'public'`);
    for (const [i, { sequencename }] of sequences.entries()) {
      await client.query('select setval($1, $2)', [sequencename, 100 + i]);
    }
  });
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isKey: boolean;
}

function chooseValue({ table, name, type, isRequired, isKey }: Column, i: number, place: number): string | null {
  // They belong to an account or to a guest, and not to both.
  if (name === 'guest_id' && ['designs', 'export_records'].includes(table)) return null;
  if (!isKey && !isRequired && (i + place) % 3 === 0) return null;
  if (type === 'integer' || type === 'smallint') return String(isKey ? i : -i);
  if (type === 'bigint') return String(isKey ? i : 2n ** 53n - 1n);
  if (type === 'real') return ['0.1', '1e-30', '-0'][i % 3]!;
  if (type === 'double precision' || type === 'numeric') return ['0.1', '1e-300', '-0'][i % 3]!;
  if (type === 'boolean') return String(i % 2 === 0);
  if (type === 'uuid') return `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
  if (type === 'jsonb' || type === 'json') return JSON.stringify({ text: STRANGE[i % STRANGE.length], i });
  if (type.endsWith('[]')) return type === 'text[]' ? '{"a b",NULL,"\\\\"}' : `{${i},${-i}}`;
  if (type === 'bytea') return '\\x00ff0a5c';
  if (type === 'date') return '2026-02-28';
  if (type.startsWith('timestamp')) return `2026-03-0${i} 01:02:03.${String(i).padStart(6, '0')}+00`;
  return isKey ? `v${i}` : STRANGE[(i + place) % STRANGE.length]!;
}

/** Returns everything that a restored database must have as its source had it: rows, sequences, rules of the tables. */
export async function readEverything(connection: pg.ClientConfig): Promise<Record<string, string[]>> {
  return withClient(connection, async (client) => {
    const list = async (text: string) => (await client.query<{ line: string }>(text)).rows.map(({ line }) => line);
    await client.query(`set timezone = 'UTC'; set extra_float_digits = 1`);
    const all: Record<string, string[]> = {
      sequences: await list(`select sequencename || ' ' || coalesce(last_value, -1) as line from pg_sequences
        where schemaname = 'public' order by 1`),
      constraints: await list(`select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line
        from pg_constraint where connamespace = 'public'::regnamespace order by 1`),
      triggers: await list(`select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text as line
        from pg_trigger where not tgisinternal order by 1`),
      security: await list(`select oid::regclass || ' ' || relrowsecurity || ' ' || relforcerowsecurity as line
        from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`),
      migrations: await list('select created_at::text as line from drizzle.__drizzle_migrations order by 1'),
    };
    const tables = await list(`select oid::regclass::text as line from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`);
    for (const table of tables) all[table] = await list(`select t::text as line from ${table} t order by 1`);
    return all;
  });
}

async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  return work(client).finally(() => client.end());
}
