/** Errors that a person can act on. Every other error is a bug: it is logged, and the reply is a general sentence. */

const statusOf = {
  invalid: 400,
  unauthorized: 401,
  limitReached: 402,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  unsupported: 415,
  unprocessable: 422,
  tooMany: 429,
  unavailable: 503,
  quotaReached: 413,
  storageFull: 507,
} as const;

export type ErrorCode = keyof typeof statusOf;

/** An error whose message is a plain sentence for the person who made the call. The code decides the status. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return statusOf[this.code];
  }
}

/** Puts the number of a row, from 1, before the sentence of an unprocessable error. Returns others as they are. */
export function nameRow(error: unknown, rowNumber: number): unknown {
  if (!(error instanceof AppError) || error.code !== 'unprocessable') return error;
  return new AppError('unprocessable', `Row ${rowNumber}: ${error.message}`);
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(statusOf, code);
}

/** The reason why the server cannot start: a sentence for the operator, shown without a stack. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}
