/** The routes that are no calls of the contract, for the OpenAPI document. */
import { BRUSHED_PICTURE, PLACEHOLDER_PATH, SAVED_PICTURE_PATH } from '@markwright/contract';

type Answer = readonly [description: string, mediaType?: string];

interface PlainRoute {
  readonly name: string;
  readonly method?: 'get' | 'post';
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly answers: Readonly<Record<number, Answer>>;
}

const inPath = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});
const inQuery = (name: string, description: string, isRequired: boolean) => ({
  ...inPath(name, description),
  in: 'query',
  required: isRequired,
});

const NOTHING: Answer = ['There is nothing at this address.'];
const FAULT: Answer = ['A fault of the server. Its log has the request’s id.'];
const TOO_MANY: Answer = ['Too many calls from this address.'];

/** Describes the route of files that ship with the server. Its path names the file by one parameter. */
function shippedFile(
  name: string,
  summary: string,
  description: string,
  { parameter, answer }: { parameter: object; answer: Answer },
): PlainRoute {
  return { name, summary, description, parameters: [parameter], answers: { 200: answer, 404: NOTHING, 500: FAULT } };
}

const routes: Readonly<Record<string, PlainRoute>> = {
  '/api/health': {
    name: 'health',
    summary: 'Check that the process lives',
    description: 'Answers as long as the process runs. Not rate limited.',
    answers: { 200: ['The process runs.', 'application/json'], 500: FAULT },
  },
  '/api/ready': {
    name: 'ready',
    summary: 'Check that the server is ready',
    description:
      'Says whether this server takes calls: its child processes work, and it was not asked to stop. Not rate limited.',
    answers: {
      200: ['The server is ready.', 'application/json'],
      500: FAULT,
      503: ['The server is not ready. The body says why.', 'application/json'],
    },
  },
  '/api/status': {
    name: 'status',
    summary: 'Check what all servers share',
    description: 'Checks the database and the file store.',
    answers: {
      200: ['Every part answers.', 'application/json'],
      429: TOO_MANY,
      500: FAULT,
      503: ['A part does not answer. The body names it.', 'application/json'],
    },
  },
  '/api/openapi.json': {
    name: 'openApi',
    summary: 'Read this document',
    description: 'Returns the OpenAPI document of the server.',
    answers: { 200: ['The document.', 'application/json'], 429: TOO_MANY, 500: FAULT },
  },
  '/api/login': {
    name: 'login',
    summary: 'Go to the login page',
    description: 'Redirects to `/auth`. Older links lead here.',
    answers: { 302: ['The login page is at `Location`.'], 429: TOO_MANY, 500: FAULT },
  },
  '/api/stripe/webhook': {
    name: 'stripeWebhook',
    method: 'post',
    summary: 'Receive a notice of the payment provider',
    description: 'Takes the signed notices of Stripe. The server then reads the subscription from Stripe again.',
    requestBody: {
      required: true,
      description: 'The event, exactly as Stripe signed it.',
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    answers: {
      200: ['The notice was taken.', 'application/json'],
      400: ['The signature is missing or wrong, the notice is too old, or no payment provider is set up.'],
      413: ['The notice is too large.'],
      429: TOO_MANY,
      500: FAULT,
      503: ['The notice cannot be processed just now. Stripe sends it again.'],
    },
  },
  [BRUSHED_PICTURE]: {
    name: 'brushedPicture',
    summary: 'Read the picture of brushed steel',
    description: 'Returns a tileable PNG, the finish of marks in bare metal.',
    answers: { 200: ['The picture.', 'image/png'], 429: TOO_MANY, 500: FAULT },
  },
  [PLACEHOLDER_PATH]: {
    name: 'placeholder',
    summary: 'Draw a placeholder picture',
    description: 'Returns a drawn picture that stands in where there is none.',
    parameters: [
      inPath('width', 'The width in pixels, from 1 to 2000.'),
      inPath('height', 'The height in pixels, from 1 to 2000.'),
    ],
    answers: {
      200: ['The picture.', 'image/svg+xml'],
      400: ['A side is not a whole number from 1 to 2000.'],
      429: TOO_MANY,
      500: FAULT,
    },
  },
  [SAVED_PICTURE_PATH]: {
    name: 'savedPicture',
    summary: 'Read the picture of a saved design',
    description: 'Returns the picture of a saved design for a cart. Any page may show it.',
    parameters: [inPath('id', 'The id of the saved design.')],
    answers: {
      200: ['The picture.', 'image/png'],
      404: ['The design or its picture is not stored any more.'],
      429: TOO_MANY,
      500: FAULT,
      503: ['The server cannot reach its database or files.'],
    },
  },
  '/files/:key': {
    name: 'file',
    summary: 'Read a stored file',
    description: 'Returns a stored file at a signed address. Replies of other calls hold such addresses.',
    parameters: [
      inPath('key', 'The key of the file. It may hold slashes.'),
      inQuery('e', 'The time the address expires.', true),
      inQuery('s', 'The signature.', true),
      inQuery('d', 'The name to download the file under.', false),
    ],
    answers: {
      200: ['The file.', '*/*'],
      404: ['The file does not exist, or its address has expired.'],
      500: FAULT,
      503: ['The server cannot reach its files.'],
    },
  },
  '/files/batches/:name': {
    name: 'batchPackage',
    summary: 'Read the package of a batch',
    description: 'Returns the ZIP of a batch at a signed address, which the batch holds. It is made while it is sent.',
    parameters: [
      inPath('name', 'The id of the batch with `.zip`.'),
      inQuery('e', 'The time the address expires.', true),
      inQuery('s', 'The signature.', true),
      inQuery('d', 'The name to download the package under.', false),
    ],
    answers: {
      200: ['The package.', 'application/zip'],
      404: ['The batch does not exist, or its address has expired.'],
      500: FAULT,
      503: ['The server cannot reach its database or files.'],
    },
  },
  '/files/takeouts/:name': {
    name: 'takeoutFile',
    summary: 'Read the data of an account',
    description: 'Returns all that is stored about an account, at a signed address that its takeout holds for a day.',
    parameters: [
      inPath('name', 'The id of the takeout with `.json`.'),
      inQuery('e', 'The time the address expires.', true),
      inQuery('s', 'The signature.', true),
      inQuery('d', 'The name to download the file under.', false),
    ],
    answers: {
      200: ['The data.', 'application/json'],
      404: ['The takeout does not exist, or its address has expired.'],
      500: FAULT,
      503: ['The server cannot reach its database or files.'],
    },
  },
  '/fonts/:name': shippedFile('font', 'Read a font', 'Returns one of the bundled fonts.', {
    parameter: inPath('name', 'The file name of the font.'),
    answer: ['The font.', 'font/woff2'],
  }),
  '/products/:picture': shippedFile(
    'productPicture',
    'Read the picture of a base product',
    'Returns a picture that ships with the base products.',
    { parameter: inPath('picture', 'The id of the product with `.svg`.'), answer: ['The picture.', 'image/svg+xml'] },
  ),
  '/products/:folder/:name': {
    name: 'uploadedProductPicture',
    summary: 'Read an uploaded picture of a product',
    description: 'Returns a picture, or one of its thumbnails, that an administrator or a company uploaded.',
    parameters: [
      inPath('folder', 'The folder of the picture.'),
      inPath('name', 'The file name of the picture or of a thumbnail.'),
    ],
    answers: {
      200: ['The picture.', 'image/*'],
      404: ['The picture does not exist any more.'],
      500: FAULT,
      503: ['The server cannot reach its files.'],
    },
  },
};

/** The OpenAPI paths of the plain routes. */
export const plainPaths: Record<string, Record<string, unknown>> = Object.fromEntries(
  Object.entries(routes).map(([path, { name, method = 'get', answers, ...route }]) => [
    path.replace(/:(\w+)/g, '{$1}'),
    {
      [method]: {
        operationId: `server.${name}`,
        tags: ['server'],
        ...route,
        security: [{}],
        responses: Object.fromEntries(
          Object.entries(answers).map(([status, answer]) => [status, toResponse(Number(status), answer)]),
        ),
      },
    },
  ]),
);

function toResponse(status: number, [description, mediaType]: Answer): object {
  if (mediaType) return { description, content: { [mediaType]: {} } };
  if (status < 400) return { description };
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}
