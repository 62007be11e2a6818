/** The contract as an OpenAPI 3.1 document, whose schemas are JSON Schema 2020-12: what zod writes. */
import { type Call, PROGRESS_STREAM_TYPE } from '@markwright/contract';
import { z } from 'zod';

type Schema = Record<string, unknown>;

export function writeOpenApi(groups: Record<string, Record<string, Call>>, contact: string): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [group, calls] of Object.entries(groups)) {
    for (const [name, call] of Object.entries(calls)) {
      const path = call.path.replace(/:(\w+)/g, '{$1}');
      paths[path] ??= {};
      paths[path][call.method.toLowerCase()] = writeOperation(group, name, call);
    }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Markwright', version: '1', contact: { email: contact } },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['message', 'requestId'],
          properties: { message: { type: 'string' }, requestId: { type: 'string' } },
        },
      },
    },
  };
}

function writeOperation(group: string, name: string, call: Call): Schema {
  const parameters = [...parametersOf(call.params, 'path', call.path), ...parametersOf(call.query, 'query', call.path)];
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary: call.summary,
    security: call.access === 'anyone' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(call.body ? { requestBody: { required: true, content: contentOf(call) } } : {}),
    responses: {
      200: {
        description: 'Done',
        content: {
          'application/json': { schema: toSchema(call.reply, 'output') },
          ...(call.stages && { [PROGRESS_STREAM_TYPE]: { schema: lineOf(call, call.stages) } }),
        },
      },
      default: {
        description: 'Not done; the message says why',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** One line of an answer that tells its stages. */
function lineOf(call: Call, stages: readonly string[]): Schema {
  const refusal = { $ref: '#/components/schemas/Error' };
  return {
    oneOf: [
      { type: 'object', required: ['stage'], properties: { stage: { type: 'string', enum: stages } } },
      { type: 'object', required: ['reply'], properties: { reply: toSchema(call.reply, 'output') } },
      { type: 'object', required: ['status', 'refusal'], properties: { status: { type: 'integer' }, refusal } },
    ],
  };
}

function contentOf(call: Call): Schema {
  const schema = toSchema(call.body!, 'input');
  const upload = call.file ?? call.files;
  if (!upload) return { 'application/json': { schema } };
  const { field } = upload;
  const binary = { type: 'string', format: 'binary' };
  const isRequired = !(call.file?.isOptional ?? false);
  return {
    'multipart/form-data': {
      schema: {
        ...schema,
        properties: {
          ...(schema.properties as Schema | undefined),
          [field]: call.files ? { type: 'array', items: binary } : binary,
        },
        required: [...((schema.required as string[] | undefined) ?? []), ...(isRequired ? [field] : [])],
      },
    },
  };
}

function parametersOf(schema: z.core.$ZodType | undefined, place: 'path' | 'query', path: string): Schema[] {
  const written = schema ? toSchema(schema, 'input') : {};
  const properties = (written.properties ?? {}) as Record<string, Schema>;
  const required = (written.required ?? []) as string[];
  const names = place === 'path' ? [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!) : Object.keys(properties);
  return names.map((name) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: properties[name] ?? { type: 'string' },
  }));
}

function toSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return written;
}
