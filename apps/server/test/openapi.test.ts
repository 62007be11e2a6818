import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { type Call, calls } from '@markwright/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { version } from '../package.json';
import { findSiteFolders } from '../src/platform/site.ts';
import { createTestApp, type TestApp } from './server.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

const routes: { method: string; url: string }[] = [];
let server: TestApp;
let document: { info: { version: string }; paths: Record<string, Record<string, Operation>> };
let operations: [string, Operation][];

/** Fastify announces each app before it has routes. */
function watchRoutes(message: unknown): void {
  (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
}

beforeAll(async () => {
  subscribe('fastify.initialization', watchRoutes);
  server = await createTestApp();
  unsubscribe('fastify.initialization', watchRoutes);
  document = (await server.app.inject('/api/openapi.json')).json();
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => server.close());

test('is valid OpenAPI 3.1 and has the version of the package', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  expect(document.info.version).toBe(version);
});

test('the examples of bodies and replies are what the calls take and answer', () => {
  const withExamples = Object.entries(calls)
    .flatMap(([group, ownCalls]) =>
      Object.entries<Call>(ownCalls).map(([name, call]): [string, Call] => [`${group}.${name}`, call]),
    )
    .filter(([, { examples, replyExample }]) => examples ?? replyExample);
  expect(withExamples.map(([name]) => name)).toEqual(expect.arrayContaining(['exports.file', 'apiKeys.create']));
  for (const [name, { body, examples, reply, replyExample }] of withExamples) {
    for (const [label, { value }] of Object.entries(examples?.() ?? {})) {
      expect(z.safeParse(body!, value).error, `${name} ${label}`).toBeUndefined();
    }
    if (replyExample !== undefined) expect(z.safeParse(reply, replyExample).error, name).toBeUndefined();
  }
});

test('every operation has a summary, a description and error replies', () => {
  for (const [name, { summary, description, responses }] of operations) {
    expect(summary, name).toMatch(/^[A-Z][^.]+$/);
    expect(description, name).toMatch(/^[A-Z][\s\S]+\.$/);
    expect(
      Object.keys(responses).some((status) => Number(status) < 400),
      name,
    ).toBe(true);
    expect(
      Object.keys(responses).some((status) => Number(status) >= 400),
      name,
    ).toBe(true);
    for (const [status, answer] of Object.entries(responses)) {
      expect(answer.description, `${name} ${status}`).toMatch(/^.+\.$/);
    }
  }
  expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
});

test('a call lists the errors that its access and input can cause', () => {
  const statuses = (id: string) =>
    Object.keys(operations.find(([, { operationId }]) => operationId === id)![1].responses).join(' ');
  expect(statuses('site.info')).toBe('200 401 429 500 503');
  expect(statuses('users.stats')).toBe('200 401 429 500 503');
  expect(statuses('admin.overview')).toBe('200 401 403 429 500 503');
  expect(statuses('orders.get')).toBe('200 400 401 404 429 500 503');
  expect(statuses('designs.upload')).toBe('200 400 401 403 413 415 422 429 500 503 507');
  expect(statuses('designs.vectorize')).toBe('200 400 401 402 403 404 413 415 422 429 500 503 507');
});

test('every path parameter is declared', () => {
  for (const [name, { parameters = [] }] of operations) {
    const declaredNames = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
    expect(
      [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
      name,
    ).toEqual(declaredNames);
  }
});

test('contains every route of the app, and nothing else', () => {
  const { web } = findSiteFolders();
  const isAsset = (url: string) =>
    url === '/assets/*' || (web !== undefined && url !== '/' && existsSync(`${web}${decodeURIComponent(url)}`));
  const declaredRoutes = routes
    .filter(({ method, url }) => method !== 'HEAD' && !isAsset(url))
    .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}').replace('*', '{key}')}`);
  expect(operations.map(([name]) => name).sort()).toEqual(declaredRoutes.sort());
});
