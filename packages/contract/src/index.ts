/** The whole contract, for the server. Code that runs in a browser imports `/paths`, `/words` and `/tracing`. */
export { type Access, type Endpoint, IDEMPOTENCY_HEADER, type Method, PROGRESS_STREAM_TYPE } from './paths/index.ts';
export * from './schemas/index.ts';
export * from './tracing.ts';
export * from './words/index.ts';
