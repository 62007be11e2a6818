/**
 * The command `markwright`: the server, and what its operator does with it, all with the same settings. Whoever may
 * read the data folder, or knows DATABASE_URL, may run it.
 */
import { parseArgs } from 'node:util';
import { PLAN_IDS, plans } from '@markwright/contract';
import type { Logger } from 'pino';
import { version } from '../package.json';
import { resealSecrets } from './accounts/secondFactorCodes.ts';
import { unlockAccount } from './accounts/unlock.ts';
import { givePlan } from './billing/subscriptions.ts';
import { type Config, ConfigError, readConfig, siteOrigin } from './config.ts';
import { findBackupFaults, keyOfBackup, restoreBackup, writeBackup } from './operator/backup.ts';
import { copyFiles, megabytes } from './operator/copyFiles.ts';
import { type DatabaseAccess, openEmptyDatabase, reachDatabase } from './operator/databases.ts';
import { examine } from './operator/doctor.ts';
import { listJobs, retryJobs } from './operator/jobList.ts';
import { moveDatabase } from './operator/move.ts';
import { createProgress } from './operator/progress.ts';
import { type Db, migrateDatabase, openDatabase, requireMigrations } from './platform/database.ts';
import { AppError, StartError } from './platform/errors.ts';
import { forgetKey } from './platform/installation.ts';
import { createLog } from './platform/log.ts';
import { openFileStore } from './platform/openFiles.ts';
import { deriveKeys, keyPathOf, putKey, readSigningKeys } from './platform/secret.ts';
import { createSecretBox } from './platform/secretBox.ts';

/** The arguments of a command. An option with a text is undefined where it is left out. */
interface Call {
  readonly config: Config;
  readonly log: Logger;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

interface Command {
  /** E.g. `backup FOLDER`. Words in capitals are values, those in brackets may be left out. */
  readonly usage: string;
  readonly summary: string;
  /** The text below the summary: effects and conditions. */
  readonly help: string;
  readonly options?: Readonly<Record<string, { readonly type: 'boolean' | 'string'; readonly help: string }>>;
  /** Returns the exit code. */
  run(call: Call): Promise<number>;
}

/** Exit codes: done; failed, or something is wrong; a command that nobody knows. */
const DONE = 0;
const FAILED = 1;
const UNKNOWN = 2;

const COMMANDS: readonly Command[] = [
  {
    usage: 'config check',
    summary: 'Checks the settings.',
    help: 'Names every wrong setting at once. Reaches nothing: “doctor” does.',
    async run() {
      console.log('The settings are right.');
      return DONE;
    },
  },
  {
    usage: 'doctor',
    summary: 'Checks settings, database, files and key, and whether they belong together.',
    help: 'Runs beside the server or without it. Ends with 1 when something is wrong.',
    options: { deep: { type: 'boolean', help: 'Also looks for each file that the database knows.' } },
    run: runDoctor,
  },
  {
    usage: 'migrate',
    summary: 'Brings the database of DATABASE_URL up to date.',
    help: 'For servers that start with MIGRATE=off. Servers of the version before go on working meanwhile.',
    options: { check: { type: 'boolean', help: 'Changes nothing. Ends with 1 when migrations are missing.' } },
    run: runMigrate,
  },
  {
    usage: 'backup FOLDER',
    summary: 'Writes database, files and key into a new folder, while the server runs.',
    help:
      'The database is that of one moment, and the files belong to it. The folder holds everything that the server ' +
      'knows, secrets too: keep it as safe as the server. SECRET_KEY is not in it: keep that elsewhere.',
    run: runBackup,
  },
  {
    usage: 'verify FOLDER',
    summary: 'Reads every byte of a backup and compares it with its list.',
    help: 'Needs no server. “sha256sum -c SHA256SUMS” in the folder does nearly the same.',
    run: runVerify,
  },
  {
    usage: 'restore FOLDER',
    summary: 'Puts a backup into an empty database and an empty place for files.',
    help:
      'They are those of the settings: another database service or bucket than before, or a disk, will do. No server ' +
      'may run on them. One that was broken off can be run again. Mails that waited in the backup are sent again.',
    run: runRestore,
  },
  {
    usage: 'move',
    summary: 'Moves the embedded database of DATA_DIR into the empty one of DATABASE_URL.',
    help:
      'Stop the server first, and set DATABASE_URL. Files and key stay in DATA_DIR. The old database is put aside as ' +
      'postgres.moved: delete it when all is well.',
    run: runMove,
  },
  {
    usage: 'files copy',
    summary: 'Copies the files from the disk to S3, or back.',
    help:
      'The disk is the data folder; run it with FILES=s3 and the settings of S3. What is there already is left out: run ' +
      'it once while the server runs, stop the server, run it again, and start the server with the new settings.',
    options: {
      from: { type: 'string', help: 'disk or s3' },
      to: { type: 'string', help: 's3 or disk' },
    },
    run: runFilesCopy,
  },
  {
    usage: 'admin reset-password [ADDRESS]',
    summary: 'Lets the owner of an account in who is locked out: the administrator, or the account of the address.',
    help:
      'Clears the tries that were counted against the account, and prints a link that sets a new password. The password ' +
      'and the sessions stay until somebody uses the link.',
    options: { 'without-second-factor': { type: 'boolean', help: 'Also turns the account’s second factor off.' } },
    run: runResetPassword,
  },
  {
    usage: 'user plan ADDRESS PLAN',
    summary: 'Gives an account a plan by hand: starter, pro, studio or agency, or free again.',
    help: 'Its month begins now. An account that pays for a plan keeps that: end it at the provider first.',
    run: runUserPlan,
  },
  {
    usage: 'jobs list',
    summary: 'Lists the background jobs that wait, run or have failed.',
    help: 'Those that failed are listed for an hour, with what the last one said.',
    run: runJobsList,
  },
  {
    usage: 'jobs retry [NAME]',
    summary: 'Lets failed background jobs run once more: all, or those of a name.',
    help: 'A job may run twice without harm. A server with the role “jobs” takes them within seconds.',
    run: runJobsRetry,
  },
  {
    usage: 'key rotate',
    summary: 'Encrypts the secrets of second factors with the new key of SECRET_KEY=new,old.',
    help: 'Then the old key can be taken out. Addresses of files from before end with it, and guests start anew.',
    run: runKeyRotate,
  },
  {
    usage: 'key forget',
    summary: 'Lets the next start take another signing key than the last one, which is lost.',
    help: 'People with a second factor then need a recovery code, and set it up again.',
    run: runKeyForget,
  },
];

async function main(parts: readonly string[]): Promise<number> {
  const [first, second] = parts;
  if (first === undefined || ['help', '--help', '-h'].includes(first)) {
    const isAsked = first !== undefined;
    (isAsked ? console.log : console.error)(overview());
    return isAsked ? DONE : UNKNOWN;
  }
  if (first === '--version') {
    console.log(version);
    return DONE;
  }
  const command = COMMANDS.find(({ usage }) => {
    const [name, subname = ''] = usage.split(' ');
    return name === first && (!/^[a-z]/.test(subname) || subname === second);
  });
  if (!command) {
    console.error(`There is no command “${parts.slice(0, 2).join(' ')}”.\n\n${overview()}`);
    return UNKNOWN;
  }
  const call = parseCall(command, parts);
  if (call === undefined) return UNKNOWN;
  if (call === 'help') {
    console.log(helpOf(command));
    return DONE;
  }
  return command.run({ ...call, config: readConfig(), log: createLog('warn') });
}

/** Reads words and options of a command. Prints its help and returns undefined where they are not as it takes them. */
function parseCall(command: Command, parts: readonly string[]): Pick<Call, 'words' | 'options'> | 'help' | undefined {
  const usageWords = command.usage.split(' ');
  const nameCount = usageWords.filter((word) => /^[a-z]/.test(word)).length;
  const least = usageWords.filter((word) => !word.startsWith('[')).length;
  try {
    const { values, positionals } = parseArgs({
      args: [...parts],
      allowPositionals: true,
      options: { ...mapTypes(command.options), help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) return 'help';
    if (positionals.length < least || positionals.length > usageWords.length) throw new Error('wrong number of words');
    return { words: positionals.slice(nameCount), options: values as Call['options'] };
  } catch {
    console.error(helpOf(command));
    return undefined;
  }
}

const mapTypes = (options: Command['options'] = {}) =>
  Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]));

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ usage }) => usage.length)) + 2;
  const lineOf = ({ usage, summary }: Pick<Command, 'usage' | 'summary'>) => `  ${usage.padEnd(width)}${summary}`;
  return [
    `Markwright ${version}`,
    '',
    'markwright COMMAND, with the settings of the server in the environment:',
    '',
    lineOf({ usage: 'serve', summary: 'Runs the server until it is asked to stop.' }),
    ...COMMANDS.map(lineOf),
    '',
    'markwright COMMAND --help says more. Results go to the standard output, progress to the standard error.',
    'It ends with 0 when all is done, with 1 when something is wrong, and with 2 for a command that it does not know.',
  ].join('\n');
}

function helpOf({ usage, summary, help, options = {} }: Command): string {
  const optionLines = Object.entries(options).map(([name, { type, help: text }]) => {
    return `  ${`--${name}${type === 'string' ? ' WHERE' : ''}`.padEnd(26)}${text}`;
  });
  return [`markwright ${usage}`, '', summary, help, ...(optionLines.length ? ['', ...optionLines] : [])].join('\n');
}

async function runDoctor({ config, log, options }: Call): Promise<number> {
  const progress = createProgress();
  const findings = await examine(config, log, { isDeep: options.deep === true, progress });
  progress.end();
  for (const { isGood, text } of findings) console.log(`${isGood ? 'good ' : 'WRONG'}  ${text}`);
  return findings.every(({ isGood }) => isGood) ? DONE : FAILED;
}

async function runMigrate({ config, options }: Call): Promise<number> {
  if (!config.databaseDirectUrl) throw new StartError('The embedded database is migrated by the start of the server.');
  const connection = { connectionString: config.databaseDirectUrl };
  if (options.check) await requireMigrations(connection);
  else {
    await migrateDatabase(connection, createLog('info'));
  }
  console.log('The database is up to date.');
  return DONE;
}

/** Runs `work` with the database and the files of the settings. */
async function withEverything<T>(
  { config, log }: Call,
  openAccess: (config: Config, log: Logger) => Promise<DatabaseAccess>,
  work: (access: DatabaseAccess, files: Awaited<ReturnType<typeof openFileStore>>) => Promise<T>,
): Promise<T> {
  const access = await openAccess(config, log);
  try {
    const files = await openFileStore(config, log);
    return await work(access, files).finally(files.close);
  } finally {
    await access.stop();
  }
}

async function runBackup(call: Call): Promise<number> {
  const progress = createProgress();
  const folder = call.words[0]!;
  const backup = await withEverything(call, reachDatabase, ({ ownerConnection }, files) =>
    writeBackup(folder, {
      ...{ ownerConnection, files, progress },
      keyPath: keyPathOf(call.config),
      version,
      now: new Date(),
    }),
  );
  progress.end();
  const rows = backup.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `The backup in ${folder} has ${rows} rows of ${backup.tables.length} tables, and ${backup.files.count} files ` +
      `with ${megabytes(backup.files.sizeBytes)}.`,
  );
  if (backup.missingCount > 0) {
    console.log(
      `${backup.missingCount} files that the database knows are not there: “markwright doctor --deep” looks.`,
    );
  }
  if (call.config.secretKeys) console.log('SECRET_KEY is not in it: keep that too.');
  return DONE;
}

async function runVerify({ words }: Call): Promise<number> {
  const progress = createProgress();
  const faults = await findBackupFaults(words[0]!, progress);
  progress.end();
  for (const fault of faults) console.log(fault);
  console.log(faults.length === 0 ? 'The backup is whole.' : 'The backup is damaged.');
  return faults.length === 0 ? DONE : FAILED;
}

async function runRestore(call: Call): Promise<number> {
  const { config, log, words } = call;
  const folder = words[0]!;
  const progress = createProgress();
  const keyPath = keyOfBackup(folder);
  const manifest = await withEverything(call, openEmptyDatabase, async ({ ownerConnection }, files) => {
    if (keyPath) putKey(config, keyPath);
    return restoreBackup(folder, { ownerConnection, files, progress, log });
  });
  progress.end();
  console.log(`The backup of ${manifest.madeAt} is restored, and all of it compared. Start the server.`);
  if (config.secretKeys && keyPath) console.log(`Its key is in ${keyPath}: SECRET_KEY has to be that one.`);
  return DONE;
}

async function runMove({ config, log }: Call): Promise<number> {
  const { databaseDirectUrl, dataDir } = config;
  if (!databaseDirectUrl) throw new StartError('Set DATABASE_URL to the empty database that is to hold everything.');
  const progress = createProgress();
  const { tableCount, folder } = await moveDatabase(dataDir, { connectionString: databaseDirectUrl }, log, progress);
  progress.end();
  console.log(
    `All ${tableCount} tables are in the database of DATABASE_URL, compared row by row. Start the server with it. The ` +
      `old database is in ${folder}: delete it when all is well.`,
  );
  return DONE;
}

async function runFilesCopy({ config, log, options: { from, to } }: Call): Promise<number> {
  if (!((from === 'disk' && to === 's3') || (from === 's3' && to === 'disk'))) {
    throw new StartError('Say “--from disk --to s3” or “--from s3 --to disk”.');
  }
  if (!config.s3) throw new StartError('Set FILES=s3 and the settings of S3, which name the bucket.');
  const progress = createProgress();
  const source = await openFileStore(config, log, from);
  const target = await openFileStore(config, log, to);
  const id = await source.readInstallation();
  const targetId = await target.readInstallation();
  if (id === undefined) throw new StartError(`No server has stored files in ${source.place}.`);
  if (targetId !== undefined && targetId !== id) {
    throw new StartError(`${target.place} holds the files of another installation.`);
  }
  await target.writeInstallation(id);
  const { count, sizeBytes, copiedCount } = await copyFiles(source, target, { progress });
  progress.end();
  console.log(
    `${count} files with ${megabytes(sizeBytes)} are in ${target.place}. ${copiedCount} of them are new there.`,
  );
  source.close();
  target.close();
  return DONE;
}

/** Runs `work` on the rows as the running server does. */
async function withRows<T>({ config, log }: Call, work: (db: Db) => Promise<T>): Promise<T> {
  const access = await reachDatabase(config, log);
  const database = openDatabase(access.connection, () => {}, 1);
  try {
    return await work(database.db);
  } finally {
    await database.close();
    await access.stop();
  }
}

async function runResetPassword(call: Call): Promise<number> {
  const { config, log, words, options } = call;
  const result = await withRows(call, (db) => {
    const context = { db, log, now: () => new Date(), origin: siteOrigin(config) };
    return unlockAccount(context, words[0], options['without-second-factor'] === true);
  });
  const { email, clearedCount, hadSecondFactor, link, expiresAt } = result;
  const limits = clearedCount === 1 ? 'One rate limit was' : `${clearedCount} rate limits were`;
  console.log(
    [
      `${email} can sign in again. ${limits} cleared. The password and the sessions are as they were.`,
      ...(hadSecondFactor ? ['The second factor is off.'] : []),
      `This link sets a new password, once, until ${expiresAt.toISOString().slice(11, 16)} UTC:`,
      link,
      'The browser that opens it stays able to sign in while others guess.',
    ].join('\n'),
  );
  return DONE;
}

async function runUserPlan(call: Call): Promise<number> {
  const { log } = call;
  const [address, plan] = call.words as readonly [string, string];
  const planId = PLAN_IDS.find((id) => id === plan);
  if (!planId) throw new StartError(`There is no plan “${plan}”. The plans are ${PLAN_IDS.join(', ')}.`);
  const { email, before } = await withRows(call, (db) => givePlan({ db, log, now: () => new Date() }, address, planId));
  console.log(`${email} is on the plan ${plans[planId].name} now. Before it was on ${plans[before].name}.`);
  return DONE;
}

async function runJobsList(call: Call): Promise<number> {
  const groups = await withRows(call, listJobs);
  for (const { name, state, count, oldestAt, reason } of groups) {
    const since = oldestAt.toISOString().slice(0, 16).replace('T', ' ');
    const cause = reason ? `: ${reason}` : '';
    console.log(`${JOB_STATES[state].padEnd(16)}${String(count).padStart(6)}  ${name}, since ${since} UTC${cause}`);
  }
  if (groups.length === 0) console.log('No background job waits, runs or has failed.');
  return DONE;
}

const JOB_STATES = { waiting: 'waiting', retry: 'to be repeated', running: 'running', failed: 'failed' } as const;

async function runJobsRetry(call: Call): Promise<number> {
  const count = await withRows(call, (db) => retryJobs(db, call.words[0]));
  console.log(count === 1 ? 'One job runs once more.' : `${count} jobs run once more.`);
  return DONE;
}

async function runKeyRotate(call: Call): Promise<number> {
  const { config } = call;
  if ((config.secretKeys?.length ?? 0) < 2) throw new StartError('Set SECRET_KEY to the new key and the old one.');
  const secretBox = createSecretBox(deriveKeys(readSigningKeys(config), 'secrets'));
  const { count, lostCount } = await withRows(call, (db) => resealSecrets({ db, secretBox }));
  console.log(`${count} second factors are encrypted with the new key.`);
  if (lostCount > 0) console.log(`${lostCount} can be read with none of the keys: their owners need recovery codes.`);
  return DONE;
}

async function runKeyForget(call: Call): Promise<number> {
  await withRows(call, forgetKey);
  console.log('The next start takes the signing key that it finds. Addresses of files end, and guests start anew.');
  return DONE;
}

const parts = process.argv.slice(2);
if (parts.length === 1 && parts[0] === 'serve') await import('./main.ts');
else {
  main(parts).then(
    (code) => process.exit(code),
    (error: unknown) => {
      if (error instanceof ConfigError) console.error(error.problems.join('\n'));
      else console.error(error instanceof StartError || error instanceof AppError ? error.message : error);
      process.exit(FAILED);
    },
  );
}
