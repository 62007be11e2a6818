import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Endpoints } from './paths/endpoint.ts';
import { defineCalls } from './schemas/call.ts';

// The endpoint starts below; the README shows the same lines.
const notePaths = {
  rename: { method: 'PUT', path: '/api/notes/:id', access: 'user', returns: ['id', 'name'] },
} as const satisfies Endpoints;
// The endpoint ends above.

// The schemas start below; the README shows the same lines.
const Note = z.object({
  id: z.string(),
  name: z.string().describe('When empty, the note is called by its first words.'),
});

const notes = defineCalls(notePaths, {
  rename: {
    summary: 'Rename a note',
    description: 'Changes the name of a note. Its text stays.',
    params: z.object({ id: z.string().max(64) }),
    body: z.object({ name: z.string().max(80, 'Please keep the name under 80 characters.') }),
    reply: Note,
    errors: { 404: 'The note does not exist, or it belongs to someone else.' },
  },
});
// The schemas end above.

test('the call of the README has both halves', () => {
  expect(notes.rename).toMatchObject({ method: 'PUT', path: '/api/notes/:id', returns: ['id', 'name'] });
  expect(notes.rename.reply.parse({ id: 'a', name: '', more: 1 })).toEqual({ id: 'a', name: '' });
});

test('the README shows this very call', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8').replace(/^ {3}/gm, '');
  const [, endpoint, , schemas] = readFileSync(new URL(import.meta.url), 'utf8').split(
    /^\/\/ The (?:endpoint|schemas) .*\n/m,
  );
  expect(readme).toContain(`export ${endpoint!.replace('notePaths', 'notes').trim()}\n`);
  expect(readme).toContain(schemas!.replace(/^const /gm, 'export const ').trim());
});
