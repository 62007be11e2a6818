/** The job `materialLibrary`: reads a stranger's LightBurn material library. */
import { LASER_LIMITS } from '@markwright/contract';
import { FileRefused, type MaterialLibrary, readMaterialLibrary } from '@markwright/scene/production';
import { AppError } from '../platform/errors.ts';

/** Throws tooLarge, and unprocessable for a file that is no library or is broken. */
export function readLibraryFile(bytes: Uint8Array): MaterialLibrary {
  try {
    return readMaterialLibrary(bytes);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new AppError(bytes.length > LASER_LIMITS.libraryBytes ? 'tooLarge' : 'unprocessable', error.message);
  }
}
