/** Fills an account by SQL, for what is tried and timed with a large one. */
import pg from 'pg';
import { reachEmbeddedPostgres } from '../src/platform/embeddedPostgres.ts';

export interface AccountSize {
  readonly designs: number;
  readonly compositions: number;
  /** Each with the design that its customer saved. */
  readonly orders: number;
}

/** The elements of a composition, each of about 200 characters. */
const ELEMENTS = 200;

/** Adds to an account that has a shop, in the embedded database of a data folder. The rows have no files. */
export async function fillAccount(dataDir: string, userId: number, size: AccountSize): Promise<void> {
  const { connection, stop } = reachEmbeddedPostgres(dataDir);
  // The owner of the tables, whom row-level security does not bind.
  const client = new pg.Client({ ...connection, user: connection.database });
  await client.connect();
  try {
    for (const statement of statements(userId, size)) await client.query(statement);
  } finally {
    await client.end();
    await stop();
  }
}

function statements(userId: number, { designs, compositions, orders }: AccountSize): string[] {
  const company = `(select id from companies where user_id = ${userId})`;
  // Each has words of its own, as the database compresses what repeats.
  const composition = `(select jsonb_build_object('version', 3, 'machine', 'laser', 'elements', jsonb_agg(
      jsonb_build_object('kind', 'text', 'id', md5(n || ' ' || e), 'text', md5(e || ' ' || n), 'xPercent', e / 3.0,
        'yPercent', n / 7.0, 'widthPercent', 20.5, 'rotationDegrees', 0, 'fontId', 'oswald', 'isHidden', false)))
    from generate_series(1, ${ELEMENTS}) e)`;
  const id = (letter: string) => `'${letter}${userId}-' || n`;
  const ago = `now() - n * interval '7 minutes'`;
  return [
    `insert into designs (id, user_id, filename, media_type, width, height, size_bytes, original_key, created_at)
      select ${id('d')}, ${userId}, 'logo.png', 'image/png', 800, 600, 40000, 'designs/' || ${id('d')} || '/original.png',
        ${ago} from generate_series(1, ${designs}) n`,
    `insert into compositions (id, user_id, key, name, composition, created_at)
      select ${id('c')}, ${userId}, 'k' || n, 'Design ' || n, ${composition}, ${ago}
      from generate_series(1, ${compositions}) n`,
    `insert into saved_designs (id, company_id, composition, product, line, picture_key, ordered_at, created_at)
      select ${id('s')}, ${company}, ${composition}, '{"productId":"slate","name":"Slate","picture":null}', '{}', 'p',
        ${ago}, ${ago} from generate_series(1, ${orders}) n`,
    `insert into orders (id, number, company_id, key, saved_design_id, made, quantity, currency, contact, routing, payer,
        created_at)
      select ${id('o')}, ${id('N')}, ${company}, 'k' || n, ${id('s')},
        '{"productName":"Slate Coaster","machine":"laser","widthMm":80,"heightMm":80}', 1, 'USD',
        '{"name":"Ada","email":"ada@example.com","phone":"","address":"","note":""}', 'own', 'shop', ${ago}
      from generate_series(1, ${orders}) n`,
    'analyze',
  ];
}
