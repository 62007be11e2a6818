/** Converts errors to replies. */
import type { FastifyError, FastifyRequest } from 'fastify';
import { isAccountGone, isDatabaseDown, isUnstorableText } from './database.ts';
import { AppError } from './errors.ts';
import { toStorageError } from './files.ts';

interface ErrorReply {
  readonly status: number;
  readonly refusal: { readonly message: string; readonly requestId: string };
  readonly retryAfterSeconds: number | undefined;
}

/** Returns the reply for an error, and logs the error when it is our fault. */
export function toErrorReply(error: FastifyError | AppError, request: FastifyRequest): ErrorReply {
  const appError = toAppError(error);
  if (!appError) request.log.error({ err: error }, 'a call failed');
  else if (appError.status >= 500) request.log.warn({ err: error }, appError.message);
  const message = appError?.message ?? 'Something went wrong on our side. Please try again.';
  return {
    status: appError?.status ?? 500,
    refusal: { message, requestId: request.id },
    retryAfterSeconds: appError?.retryAfterSeconds,
  };
}

/** Returns the error as an AppError; undefined for a bug. */
function toAppError(error: FastifyError | AppError): AppError | undefined {
  if (error instanceof AppError) return error;
  if (isDatabaseDown(error)) {
    return new AppError('unavailable', 'The studio cannot reach its database just now. Please try again in a moment.', {
      retryAfterSeconds: 3,
    });
  }
  const failure = toStorageError(error);
  if (failure) return failure;
  if (isAccountGone(error)) return new AppError('unauthorized', 'Your account is not there any more.');
  if (isUnstorableText(error)) return new AppError('invalid', 'The request holds characters that cannot be kept.');
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500) return undefined;
  if (status === 413) return new AppError('tooLarge', 'That is larger than what can be sent here.');
  if (status === 415) return new AppError('unsupported', 'Send JSON, or form data where a file goes with it.');
  if (status === 404) return new AppError('notFound', 'There is nothing at this address.');
  return new AppError('invalid', 'The request could not be read.');
}
