/** The API as an OpenAPI 3.1 document. Its schemas are JSON Schema 2020-12, as Zod writes them. */
import {
  API_KEY_PREFIX,
  API_SCOPES,
  type Call,
  type ErrorStatus,
  GUEST_HEADER,
  PROGRESS_STREAM_TYPE,
} from '@markwright/contract';
import { z } from 'zod';
import { version } from '../../package.json';
import { plainPaths } from './openapiPlainPaths.ts';

type Schema = Record<string, unknown>;

/** Writes the document. `contact` is the operator's support address. */
export function writeOpenApi(groups: Record<string, Record<string, Call>>, contact: string): Schema {
  const paths: Record<string, Record<string, unknown>> = structuredClone(plainPaths);
  for (const [group, calls] of Object.entries(groups)) {
    for (const [name, call] of Object.entries(calls)) {
      const path = call.path.replace(/:(\w+)/g, '{$1}');
      paths[path] ??= {};
      paths[path][call.method.toLowerCase()] = writeOperation(group, name, call);
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Markwright',
      version,
      description:
        'The calls of the studio, the portal and the widget. An error answer is JSON: a sentence for the person in ' +
        '`message` and the id of the request in the server’s log in `requestId`.',
      contact: { email: contact },
    },
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that login and sign-up return. It identifies an account.',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            `A key that an account makes for its programs, under Profile, Security. It begins with \`${API_KEY_PREFIX}\` ` +
            'and opens the calls that name one of its scopes: ' +
            `${Object.entries(API_SCOPES)
              .map(([scope, words]) => `\`${scope}\` (${words.charAt(0).toLowerCase()}${words.slice(1)})`)
              .join('; ')}. For example: ` +
            '`curl -H "Authorization: Bearer mwkey_…" https://studio.example/api/compositions`.',
        },
        guest: {
          type: 'apiKey',
          in: 'header',
          name: GUEST_HEADER,
          description:
            'The token that `widget.start` returns. It identifies a guest of the widget. On the site’s own pages a ' +
            'signed cookie does so.',
        },
      },
      schemas: {
        Error: {
          type: 'object',
          description: 'The reason why a request failed.',
          required: ['message', 'requestId'],
          properties: {
            message: { type: 'string', description: 'A sentence for the person who made the call.' },
            requestId: { type: 'string', description: 'The id of the request in the server’s log.' },
          },
        },
      },
    },
  };
}

function writeOperation(group: string, name: string, call: Call): Schema {
  const parameters = [
    ...parametersOf(call.params, 'path', call.path),
    ...parametersOf(call.query, 'query', call.path),
    ...(call.isKeyed ? [keyParameter] : []),
  ];
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary: call.summary,
    description: call.description,
    security: [
      ...(call.access === 'anyone' ? [{}, { guest: [] }] : []),
      { bearer: [] },
      ...(call.scope ? [{ apiKey: [call.scope] }] : []),
    ],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(call.body ? { requestBody: { required: true, content: contentOf(call) } } : {}),
    responses: {
      200: {
        description: 'The call succeeded.',
        content: {
          'application/json': {
            schema: toSchema(call.reply, 'output'),
            ...(call.replyExample !== undefined && { example: call.replyExample }),
          },
          ...(call.stages && { [PROGRESS_STREAM_TYPE]: { schema: streamLineOf(call, call.stages) } }),
        },
      },
      ...errorsOf(call),
    },
  };
}

/** The header of calls that take a key. */
const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key that the caller makes at random for each thing. The same request with the same key makes it once, and is ' +
    'answered with it again for a day, so it can be sent again when its answer was lost. Another body with the same ' +
    'key is refused with 422.',
  schema: { type: 'string', minLength: 8, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' },
};

/** Returns the error answers of a call: the ones that all such calls share, and its own, which replace these. */
function errorsOf(call: Call): Schema {
  const hasInput = call.params || call.query || call.body || call.file || call.files;
  const hasBody = call.body || call.file || call.files;
  const commonErrors: Partial<Record<ErrorStatus, string>> = {
    ...(hasInput && { 400: 'The request does not fit the schema, or a value cannot be used.' }),
    401:
      call.access === 'anyone'
        ? 'The guest token of the header is forged.'
        : 'The bearer token is missing, or its session has ended.',
    ...(call.access === 'admin' && {
      403: `The account is no administrator with the role ${call.roles?.join(' or ')}.`,
    }),
    ...(call.scope && { 403: `An API key without the scope \`${call.scope}\` made the call.` }),
    ...(call.access === 'anyone' && call.method !== 'GET' && { 403: 'Another site’s page made the call.' }),
    ...(hasBody && {
      413: 'The body is too large.',
      415: `The body is not ${call.file || call.files ? 'multipart form data' : 'JSON'}.`,
    }),
    429: 'Too many calls from this address, too many pictures at once, or too much work in the last minutes.',
    500: 'A fault of the server. Its log has the request’s id.',
    503: 'The server is busy, cannot reach its database or files, or is stopping.',
  };
  return Object.fromEntries(
    Object.entries({ ...commonErrors, ...call.errors }).map(([status, description]) => [
      status,
      errorAnswer(status, description),
    ]),
  );
}

function errorAnswer(status: string, description: string): Schema {
  const retryAfter = { 'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer' } } };
  return {
    description,
    ...((status === '429' || status === '503') && { headers: retryAfter }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

/** Returns the schema of one line of a progress stream. */
function streamLineOf(call: Call, stages: readonly string[]): Schema {
  const refusal = { $ref: '#/components/schemas/Error' };
  return {
    description:
      'One line of JSON. The last line has the reply or the refusal. An empty object keeps the connection alive.',
    oneOf: [
      ...(stages.length > 0
        ? [
            {
              type: 'object',
              description: 'A stage has begun.',
              required: ['stage'],
              properties: { stage: { type: 'string', enum: stages } },
            },
          ]
        : []),
      {
        type: 'object',
        description: 'The call waits for its turn: 1 is next, 0 when it begins after it waited.',
        required: ['place'],
        properties: { place: { type: 'integer', minimum: 0 } },
      },
      {
        type: 'object',
        description: 'The call succeeded.',
        required: ['reply'],
        properties: { reply: toSchema(call.reply, 'output') },
      },
      {
        type: 'object',
        description: 'The call failed with this status.',
        required: ['status', 'refusal'],
        properties: {
          status: { type: 'integer' },
          refusal,
          retryAfter: { type: 'integer', description: 'Seconds to wait, where trying again may help.' },
        },
      },
    ],
  };
}

function contentOf(call: Call): Schema {
  const schema = toSchema(call.body!, 'input');
  const upload = call.file ?? call.files;
  if (!upload) return { 'application/json': { schema, ...(call.examples && { examples: call.examples() }) } };
  const { field, maxBytes } = upload;
  const binary = { type: 'string', format: 'binary', description: `A file of at most ${maxBytes / 2 ** 20} MB.` };
  const isRequired = !(call.file?.isOptional ?? false);
  return {
    'multipart/form-data': {
      schema: {
        ...schema,
        properties: {
          ...(schema.properties as Schema | undefined),
          [field]: call.files ? { type: 'array', items: binary, maxItems: call.files.maxFiles } : binary,
        },
        required: [...((schema.required as string[] | undefined) ?? []), ...(isRequired ? [field] : [])],
      },
    },
  };
}

function parametersOf(schema: z.core.$ZodType | undefined, place: 'path' | 'query', path: string): Schema[] {
  const inputSchema = schema ? toSchema(schema, 'input') : {};
  const properties = (inputSchema.properties ?? {}) as Record<string, Schema>;
  const requiredNames = (inputSchema.required ?? []) as string[];
  const names = place === 'path' ? [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!) : Object.keys(properties);
  return names.map((name) => {
    const { description, ...rest } = properties[name] ?? { type: 'string' };
    return {
      name,
      in: place,
      ...(description !== undefined && { description }),
      required: place === 'path' || requiredNames.includes(name),
      schema: rest,
    };
  });
}

function toSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return written;
}
