import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { Endpoints } from '../paths/endpoint.ts';
import { calls as endpoints } from '../paths/index.ts';
import { PREVIEW_DEFAULTS, VECTORIZE_DEFAULTS } from '../words/traceSettings.ts';
import { type Call, type CallBody, type CallParams, type CallStage, defineCalls } from './call.ts';
import { PreviewSettings, VectorizeSettings } from './designs.ts';
import { calls } from './index.ts';

const things = {
  list: { method: 'GET', path: '/api/things', access: 'anyone', returns: 'list' },
  rename: { method: 'PUT', path: '/api/things/:id', access: 'user', returns: ['name'], stages: ['reading', 'writing'] },
} as const satisfies Endpoints;

const list = { summary: 'List things', description: 'Returns all things.', reply: z.array(z.string()) };
const rename = {
  summary: 'Rename a thing',
  description: 'Gives a thing another name.',
  params: z.object({ id: z.string() }),
  body: z.object({ name: z.string() }),
  reply: z.object({ name: z.string() }),
};

test('a call joins its endpoint and its schemas', () => {
  const thingCalls = defineCalls(things, { list, rename });
  expect(thingCalls.rename).toEqual({ ...things.rename, ...rename });
  expectTypeOf<CallParams<typeof thingCalls.rename>>().toEqualTypeOf<{ id: string }>();
  expectTypeOf<CallBody<typeof thingCalls.rename>>().toEqualTypeOf<{ name: string }>();
  expectTypeOf<CallStage<typeof thingCalls.rename>>().toEqualTypeOf<'reading' | 'writing'>();
  expectTypeOf<CallBody<typeof thingCalls.list>>().toEqualTypeOf<undefined>();
});

test('one half without the other does not compile', () => {
  // @ts-expect-error: an endpoint without schemas
  defineCalls(things, { list });
  // @ts-expect-error: schemas without an endpoint
  defineCalls(things, { list, rename, remove: list });
  // @ts-expect-error: a path parameter without a schema
  defineCalls(things, { list, rename: list });
  // @ts-expect-error: a schema for a parameter that the path does not have
  defineCalls(things, { list: rename, rename });
  // @ts-expect-error: a reply without a field that the endpoint returns
  defineCalls(things, { list, rename: { ...rename, reply: z.object({ id: z.string() }) } });
  // @ts-expect-error: a list where the endpoint returns fields
  defineCalls(things, { list, rename: { ...rename, reply: z.array(z.string()) } });
  // @ts-expect-error: a schema for a parameter of another name
  defineCalls(things, { list, rename: { ...rename, params: z.object({ name: z.string() }) } });
});

test('every call has both halves', () => {
  const names = (groups: object) => Object.entries(groups).map(([group, of]) => [group, Object.keys(of)]);
  expect(names(calls)).toEqual(names(endpoints));
  for (const [group, of] of Object.entries(endpoints)) {
    for (const [name, endpoint] of Object.entries(of)) {
      expect((calls as Record<string, Record<string, object>>)[group]![name]).toMatchObject(endpoint);
    }
  }
});

test.each(Object.entries(calls).flatMap(([group, of]) => Object.entries(of).map(([name]) => [group, name] as const)))(
  '%s.%s returns the fields its reply always has',
  (group, name) => {
    const { returns, reply } = (calls as Record<string, Record<string, Call>>)[group]![name]!;
    const schema = z.toJSONSchema(reply, { io: 'output', unrepresentable: 'any' });
    if (schema.type === 'array') expect(returns).toBe('list');
    else expect(returns).toEqual(schema.required ?? []);
  },
);

test('the plain defaults of a trace are those of its schema', () => {
  expect(Object.entries(VectorizeSettings.parse({}))).toEqual(Object.entries(VECTORIZE_DEFAULTS));
  expect(Object.entries(PreviewSettings.parse({}))).toEqual(Object.entries(PREVIEW_DEFAULTS));
});
