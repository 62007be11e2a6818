/**
 * The settings, all optional. Only this file reads the environment. It is long because all of them are one list, so
 * that every problem of a start is named at once.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLAN_IDS, type PlanId } from '@markwright/contract';
import { z } from 'zod';

export interface S3Settings {
  /** The address of the service; undefined for Amazon's. */
  readonly endpoint: URL | undefined;
  readonly bucket: string;
  readonly region: string;
  /** The prefix of each key: empty, or a folder with a slash at its end. */
  readonly prefix: string;
  /** When absent, the client looks for them where Amazon's tools do: the machine's role, a profile. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** True puts the bucket's name into the path instead of the host name. */
  readonly forcePathStyle: boolean;
}

export interface TraceSettings {
  /** The address of the OTLP receiver, to which `/v1/traces` is added. */
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of traces that are kept, 0…1. */
  readonly share: number;
}

export interface Config {
  readonly port: number;
  readonly host: string;
  /** The address of the metrics; without it there are none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** The roles of this server: `web` answers pages and calls, `media` works on pictures, `jobs` in the background. */
  readonly roles: readonly Role[];
  /** How long a connection stays open without a request. */
  readonly keepAliveMs: number;
  /** How long a server that was asked to stop goes on, not ready any more, before it takes no more calls. */
  readonly shutdownDelayMs: number;
  /** The addresses and ranges of reverse proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /**
   * An absolute path. Contains the embedded database, the signing key unless it is a setting, and the files unless
   * they are on S3. Servers of one `databaseUrl` share it where it contains files or the key.
   */
  readonly dataDir: string;
  /** The public address of the server, when that is not `http://host:port`. */
  readonly publicUrl: URL | undefined;
  /** A PostgreSQL server to use instead of the embedded one. */
  readonly databaseUrl: string | undefined;
  /** The same database without a pooler in between, for what the start does; defaults to `databaseUrl`. */
  readonly databaseDirectUrl: string | undefined;
  /** False where another step migrates the database before the servers start. */
  readonly migrates: boolean;
  /** The most connections to the database. */
  readonly databasePool: number;
  /** The S3-compatible service that stores the files; undefined while they are in the data folder. */
  readonly s3: S3Settings | undefined;
  /**
   * The signing keys of 32 bytes, instead of the one in the data folder. The first one signs; the others were replaced
   * by it, and what they signed stays valid.
   */
  readonly secretKeys: readonly Buffer[] | undefined;
  readonly adminEmail: string;
  /** When absent, the first start generates a password and prints it once. */
  readonly adminPassword: string | undefined;
  /** True sets the administrator's existing password to `adminPassword`. */
  readonly resetsAdminPassword: boolean;
  /** True when the calls of the portal need an account with a second factor. */
  readonly requiresAdminSecondFactor: boolean;
  /** The least length of a new password, in characters. */
  readonly minPasswordLength: number;
  /** A session that is not used for so long ends. */
  readonly idleTimeoutMs: number;
  readonly supportEmail: string;
  /** The mail server, `smtp://user:password@host:port` or `smtps://`; without it mails stay in the outbox. */
  readonly smtpUrl: string | undefined;
  /** The sender of every mail, `Name <address>` or an address. */
  readonly mailFrom: string;
  /** Both keys of the payment provider. */
  readonly stripe: { readonly secretKey: string; readonly webhookSecret: string } | undefined;
  /** True when the test checkout replaces the payment provider, where that has no keys. */
  readonly hasTestCheckout: boolean;
  /** The vectorizing service of the paid tier; without keys there is only the built-in engine. */
  readonly vectorizer: { readonly id: string; readonly secret: string; readonly url: URL } | undefined;
  /** True allows shops' webhooks to this machine, even unencrypted: for development and tests. */
  readonly allowLocalWebhooks: boolean;
  /** The absolute path of the operator's own ONNX model for backgrounds, instead of those in the data folder. */
  readonly modelPath: string | undefined;
  /** The number of child processes for heavy work. */
  readonly workers: number;
  readonly processorSeconds: ProcessorSeconds;
  readonly storage: Storage;
  /** Where traces are sent; undefined while there are none. */
  readonly traces: TraceSettings | undefined;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

const ROLES = ['web', 'media', 'jobs'] as const;
type Role = (typeof ROLES)[number];

/** Limits of heavy work, in seconds of processor time. */
interface ProcessorSeconds {
  /** For one job of an account; guests have half of it. */
  readonly job: number;
  /** In ten minutes, for one guest, for all guests of a network, and for an account; 0 sets no limit. */
  readonly guest: number;
  readonly network: number;
  readonly account: number;
}

/** Limits of stored files, in bytes. */
interface Storage {
  /** For the guests and the unverified accounts of one network. */
  readonly networkBytes: number;
  /** For all of them together. */
  readonly guestsBytes: number;
  /** False on a local site without a mail server, where nobody gets the link: every account has room of its own. */
  readonly needsVerifiedAddress: boolean;
  /** For an account, by its plan. */
  readonly planBytes: Readonly<Record<PlanId, number>>;
  /** For pictures that can be made again. */
  readonly cacheBytes: number;
  /** For everything; undefined when only the disk is a limit. */
  readonly totalBytes: number | undefined;
}

/** Lists all problems of the settings, a sentence each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const wholeNumber = (name: string, low: number, high: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= low && Number(text) <= high, {
      error: (issue) => `${name} must be a whole number from ${low} to ${high}, not "${issue.input}".`,
    })
    .transform(Number);

/** More than any disk has. */
const MAX_MB = 999_999_999;
const MB = 2 ** 20;

const email = (name: string) =>
  z.email({ error: (issue) => `${name} must be an e-mail address, not "${issue.input}".` });

const databaseUrl = (name: string) =>
  z.string().refine((text) => URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol), {
    error: `${name} must begin with postgres:// or postgresql://.`, // its text may hold a password
  });

const hostName = (name: string) =>
  z
    .string()
    .regex(/^[\w.:-]{1,255}$/, { error: (issue) => `${name} must be an address or a host name, not "${issue.input}".` })
    .default('127.0.0.1');

const Environment = z
  .object({
    PORT: wholeNumber('PORT', 0, 65_535).default(3000),
    HOST: hostName('HOST'),
    METRICS_PORT: wholeNumber('METRICS_PORT', 0, 65_535).optional(),
    METRICS_HOST: hostName('METRICS_HOST'),
    ROLES: z
      .string()
      .default(ROLES.join(','))
      .transform((text) => text.split(',').map((part) => part.trim() as Role))
      .refine((parts) => parts.every((part) => ROLES.includes(part)), {
        error: 'ROLES must be some of web, media and jobs, with commas between them.',
      }),
    KEEP_ALIVE_SECONDS: wholeNumber('KEEP_ALIVE_SECONDS', 1, 600).default(5),
    SHUTDOWN_DELAY_SECONDS: wholeNumber('SHUTDOWN_DELAY_SECONDS', 0, 300).default(0),
    TRUSTED_PROXIES: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .refine((parts) => parts.every(isAddressRange), {
        error:
          'TRUSTED_PROXIES must be addresses or ranges with commas between them, like 10.0.0.5,192.168.0.0/16,fd00::/8.',
      })
      .optional(),
    DATA_DIR: z.string().optional(),
    PUBLIC_URL: z
      .string()
      .refine((text) => isBareUrl(text, ['http:', 'https:']), {
        error: (issue) => `PUBLIC_URL must be like https://studio.example.com, without a path, not "${issue.input}".`,
      })
      .transform((text) => new URL(text))
      .optional(),
    DATABASE_URL: databaseUrl('DATABASE_URL').optional(),
    DATABASE_DIRECT_URL: databaseUrl('DATABASE_DIRECT_URL').optional(),
    MIGRATE: z
      .enum(['auto', 'off'], { error: (issue) => `MIGRATE must be auto or off, not "${issue.input}".` })
      .default('auto'),
    DATABASE_POOL: wholeNumber('DATABASE_POOL', 2, 500).default(12),
    FILES: z
      .enum(['disk', 's3'], { error: (issue) => `FILES must be disk or s3, not "${issue.input}".` })
      .default('disk'),
    S3_ENDPOINT: z
      .string()
      .refine((text) => isBareUrl(text, ['http:', 'https:']), {
        error: 'S3_ENDPOINT must be like https://s3.example.com, without a path.', // its text may hold a password
      })
      .transform((text) => new URL(text))
      .optional(),
    S3_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
        error: (issue) => `S3_BUCKET must be the name of a bucket, not "${issue.input}".`,
      })
      .optional(),
    S3_REGION: z
      .string()
      .regex(/^[\w-]{1,63}$/, { error: (issue) => `S3_REGION must be like eu-central-1, not "${issue.input}".` })
      .default('us-east-1'),
    S3_PREFIX: z
      .string()
      .regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/, {
        error: (issue) => `S3_PREFIX must be a folder like studio/files, not "${issue.input}".`,
      })
      .max(200, 'S3_PREFIX must have at most 200 characters.')
      .transform((text) => (text.endsWith('/') ? text : `${text}/`))
      .default(''),
    S3_ACCESS_KEY_ID: z
      .string()
      .regex(/^[!-~]{1,200}$/, { error: 'S3_ACCESS_KEY_ID must be of letters and digits, without spaces.' })
      .optional(),
    S3_SECRET_ACCESS_KEY: z
      .string()
      .regex(/^[!-~]{1,500}$/, { error: 'S3_SECRET_ACCESS_KEY must be of letters and digits, without spaces.' })
      .optional(),
    S3_FORCE_PATH_STYLE: z
      .enum(['true', 'false'], {
        error: (issue) => `S3_FORCE_PATH_STYLE must be true or false, not "${issue.input}".`,
      })
      .optional(),
    SECRET_KEY: z
      .string()
      .regex(/^[0-9a-f]{64}(,[0-9a-f]{64}){0,4}$/, {
        error: 'SECRET_KEY must be 64 digits of 0-9 and a-f, or several such keys with commas, the new one first.',
      })
      .transform((text) => text.split(',').map((key) => Buffer.from(key, 'hex')))
      .optional(),
    ADMIN_EMAIL: email('ADMIN_EMAIL').default('admin@markwright.local'),
    ADMIN_PASSWORD: z
      .string()
      .min(6, 'ADMIN_PASSWORD must have at least 6 characters.')
      .max(128, 'ADMIN_PASSWORD must have at most 128 characters.')
      .optional(),
    ADMIN_PASSWORD_RESET: z
      .enum(['yes', 'no'], { error: (issue) => `ADMIN_PASSWORD_RESET must be yes or no, not "${issue.input}".` })
      .default('no'),
    ADMIN_SECOND_FACTOR: z
      .enum(['required', 'optional'], {
        error: (issue) => `ADMIN_SECOND_FACTOR must be required or optional, not "${issue.input}".`,
      })
      .default('optional'),
    MIN_PASSWORD_LENGTH: wholeNumber('MIN_PASSWORD_LENGTH', 6, 64).default(6),
    IDLE_TIMEOUT_HOURS: wholeNumber('IDLE_TIMEOUT_HOURS', 1, 720).default(720),
    SUPPORT_EMAIL: email('SUPPORT_EMAIL').default('support@markwright.local'),
    SMTP_URL: z
      .string()
      .refine((text) => URL.canParse(text) && ['smtp:', 'smtps:'].includes(new URL(text).protocol), {
        error: 'SMTP_URL must begin with smtp:// or smtps://.', // its text may hold a password
      })
      .optional(),
    MAIL_FROM: z
      .string()
      .regex(/^(?:[^<>"\r\n]{1,100} <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, {
        error: (issue) => `MAIL_FROM must be like Markwright <studio@example.com>, not "${issue.input}".`,
      })
      .default('Markwright <no-reply@markwright.local>'),
    STRIPE_SECRET_KEY: z
      .string()
      .regex(/^(sk|rk)_(test|live)_\w+$/, { error: 'STRIPE_SECRET_KEY must begin with sk_ or rk_.' })
      .optional(),
    STRIPE_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_\w+$/, { error: 'STRIPE_WEBHOOK_SECRET must begin with whsec_.' })
      .optional(),
    PAYMENTS: z.literal('test', { error: 'PAYMENTS must be test, or not be set.' }).optional(),
    VECTORIZER_API_ID: z
      .string()
      .regex(/^[!-9;-~]{1,200}$/, { error: 'VECTORIZER_API_ID must be of letters and digits, without a colon.' })
      .optional(),
    VECTORIZER_API_SECRET: z
      .string()
      .regex(/^[!-~]{1,500}$/, { error: 'VECTORIZER_API_SECRET must be of letters and digits, without spaces.' })
      .optional(),
    VECTORIZER_API_URL: z
      .string()
      .refine(isApiUrl, {
        // its text may hold a password
        error: 'VECTORIZER_API_URL must be like https://api.vectorizer.ai/api/v1; http:// only on this machine.',
      })
      .transform((text) => new URL(text))
      .default(new URL('https://api.vectorizer.ai/api/v1')),
    ALLOW_LOCAL_WEBHOOKS: z
      .enum(['true', 'false'], {
        error: (issue) => `ALLOW_LOCAL_WEBHOOKS must be true or false, not "${issue.input}".`,
      })
      .default('false'),
    MODEL_PATH: z.string().optional(),
    // The step before the start reads it. It is checked here, with all other settings.
    MODEL_DOWNLOAD: z
      .enum(['on', 'off'], { error: (issue) => `MODEL_DOWNLOAD must be on or off, not "${issue.input}".` })
      .default('on'),
    WORKERS: wholeNumber('WORKERS', 1, 64).default(Math.max(2, Math.min(4, availableParallelism()))),
    JOB_PROCESSOR_SECONDS: wholeNumber('JOB_PROCESSOR_SECONDS', 1, 600).default(15),
    GUEST_PROCESSOR_SECONDS: wholeNumber('GUEST_PROCESSOR_SECONDS', 0, 100_000).default(120),
    NETWORK_PROCESSOR_SECONDS: wholeNumber('NETWORK_PROCESSOR_SECONDS', 0, 100_000).default(240),
    ACCOUNT_PROCESSOR_SECONDS: wholeNumber('ACCOUNT_PROCESSOR_SECONDS', 0, 100_000).default(600),
    STORAGE_NETWORK_MB: wholeNumber('STORAGE_NETWORK_MB', 1, MAX_MB).default(1_000),
    STORAGE_GUESTS_MB: wholeNumber('STORAGE_GUESTS_MB', 1, MAX_MB).default(20_000),
    STORAGE_PLANS_MB: z
      .string()
      .default('5000,10000,20000,50000,100000')
      .transform((text) => text.split(',').map((part) => part.trim()))
      .refine((parts) => parts.length === PLAN_IDS.length && parts.every((part) => /^[1-9]\d{0,8}$/.test(part)), {
        error: `STORAGE_PLANS_MB must be ${PLAN_IDS.length} whole numbers with commas: ${PLAN_IDS.join(', ')}.`,
      })
      .transform((parts) => parts.map(Number)),
    STORAGE_CACHE_MB: wholeNumber('STORAGE_CACHE_MB', 1, MAX_MB).default(4_000),
    STORAGE_TOTAL_MB: wholeNumber('STORAGE_TOTAL_MB', 1, MAX_MB).optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .string()
      .refine((text) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol), {
        error: 'OTEL_EXPORTER_OTLP_ENDPOINT must be like http://collector.example.com:4318.', // it may hold a password
      })
      .transform((text) => new URL(text))
      .optional(),
    OTEL_EXPORTER_OTLP_HEADERS: z
      .string()
      .default('')
      .transform(readPairs)
      .refine((pairs) => pairs !== undefined, {
        error: 'OTEL_EXPORTER_OTLP_HEADERS must be like name=value,other=value, percent-encoded.', // it holds secrets
      }),
    OTEL_SERVICE_NAME: z.string().max(100, 'OTEL_SERVICE_NAME must have at most 100 characters.').default('markwright'),
    OTEL_TRACES_SAMPLER_ARG: z
      .string()
      .refine((text) => /^(0?\.\d{1,6}|[01](\.0{1,6})?)$/.test(text), {
        error: (issue) => `OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, not "${issue.input}".`,
      })
      .default('1')
      .transform(Number),
    LOG_LEVEL: z
      .enum(logLevels, { error: (issue) => `LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${issue.input}".` })
      .default('info'),
  })
  .refine((settings) => !settings.STRIPE_SECRET_KEY === !settings.STRIPE_WEBHOOK_SECRET, {
    error: 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are set together or not at all.',
  })
  .refine((settings) => !(settings.PAYMENTS && settings.STRIPE_SECRET_KEY), {
    error: 'PAYMENTS must be left out where the keys of Stripe are set.',
  })
  .refine((settings) => (settings.ADMIN_PASSWORD?.length ?? Infinity) >= settings.MIN_PASSWORD_LENGTH, {
    error: 'ADMIN_PASSWORD must have at least as many characters as MIN_PASSWORD_LENGTH says.',
  })
  .refine((settings) => settings.ADMIN_PASSWORD_RESET === 'no' || settings.ADMIN_PASSWORD, {
    error: 'ADMIN_PASSWORD_RESET must come with ADMIN_PASSWORD.',
  })
  .refine((settings) => !settings.VECTORIZER_API_ID === !settings.VECTORIZER_API_SECRET, {
    error: 'VECTORIZER_API_ID and VECTORIZER_API_SECRET are set together or not at all.',
  })
  .refine((settings) => settings.DATABASE_URL || !settings.DATABASE_DIRECT_URL, {
    error: 'DATABASE_DIRECT_URL must come with DATABASE_URL.',
  })
  .refine((settings) => settings.DATABASE_URL || ROLES.every((role) => settings.ROLES.includes(role)), {
    error: 'ROLES must be web,media,jobs without DATABASE_URL: no other server does the rest.',
  })
  .refine((settings) => settings.DATABASE_URL || settings.MIGRATE === 'auto', {
    error: 'MIGRATE must be auto without DATABASE_URL.',
  })
  .refine((settings) => settings.FILES === 'disk' || settings.S3_BUCKET, {
    error: 'S3_BUCKET must be set where FILES is s3.',
  })
  .refine((settings) => settings.FILES === 's3' || !settings.S3_BUCKET, {
    error: 'FILES must be s3 where S3_BUCKET is set.',
  })
  .refine((settings) => settings.FILES === 'disk' || settings.SECRET_KEY, {
    error: 'SECRET_KEY must be set where FILES is s3, the same for every server: openssl rand -hex 32 makes one.',
  })
  .refine((settings) => !settings.S3_ACCESS_KEY_ID === !settings.S3_SECRET_ACCESS_KEY, {
    error: 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are set together or not at all.',
  });

/** Reads `name=value,…` with percent-encoded values; undefined when it is not that. */
function readPairs(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const pairs = text.split(',').filter((part) => part.trim());
    const entries = pairs.map((part) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(part));
    if (entries.includes(null)) return undefined;
    return Object.fromEntries(entries.map((match) => [match![1]!, decodeURIComponent(match![2]!)]));
  } catch {
    return undefined; // not percent-encoded
  }
}

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(Environment.shape);

/**
 * Reads the settings. An empty value counts as none. `NAME_FILE` names a file with the value of the setting `NAME`, as
 * secrets managers make them. Throws a ConfigError that names every problem.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const problems: string[] = [];
  for (const name of SETTING_NAMES) {
    const path = values[`${name}_FILE`];
    if (path === undefined) continue;
    if (values[name] !== undefined) problems.push(`${name} and ${name}_FILE must not be set together.`);
    try {
      values[name] ??= readFileSync(path, 'utf8').trim();
    } catch {
      problems.push(`${name}_FILE must name a file that the server may read, not "${path}".`);
    }
  }
  const result = Environment.safeParse(values);
  if (!result.success) problems.push(...result.error.issues.map((issue) => issue.message));
  if (problems.length > 0 || !result.success) throw new ConfigError(problems);
  const settings = result.data;
  return {
    port: settings.PORT,
    host: settings.HOST,
    metrics:
      settings.METRICS_PORT === undefined ? undefined : { host: settings.METRICS_HOST, port: settings.METRICS_PORT },
    roles: settings.ROLES,
    keepAliveMs: settings.KEEP_ALIVE_SECONDS * 1000,
    shutdownDelayMs: settings.SHUTDOWN_DELAY_SECONDS * 1000,
    trustedProxies: settings.TRUSTED_PROXIES ?? (settings.PUBLIC_URL ? LOOPBACK : []),
    dataDir: settings.DATA_DIR ? resolve(settings.DATA_DIR) : defaultDataDir(),
    publicUrl: settings.PUBLIC_URL,
    databaseUrl: settings.DATABASE_URL,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    migrates: settings.MIGRATE === 'auto',
    databasePool: settings.DATABASE_POOL,
    s3: toS3(settings),
    secretKeys: settings.SECRET_KEY,
    adminEmail: settings.ADMIN_EMAIL,
    adminPassword: settings.ADMIN_PASSWORD,
    resetsAdminPassword: settings.ADMIN_PASSWORD_RESET === 'yes',
    requiresAdminSecondFactor: settings.ADMIN_SECOND_FACTOR === 'required',
    minPasswordLength: settings.MIN_PASSWORD_LENGTH,
    idleTimeoutMs: settings.IDLE_TIMEOUT_HOURS * 60 * 60 * 1000,
    supportEmail: settings.SUPPORT_EMAIL,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    stripe:
      settings.STRIPE_SECRET_KEY && settings.STRIPE_WEBHOOK_SECRET
        ? { secretKey: settings.STRIPE_SECRET_KEY, webhookSecret: settings.STRIPE_WEBHOOK_SECRET }
        : undefined,
    hasTestCheckout: settings.PAYMENTS === 'test' || !isPublicSite(settings.PUBLIC_URL),
    vectorizer:
      settings.VECTORIZER_API_ID && settings.VECTORIZER_API_SECRET
        ? {
            id: settings.VECTORIZER_API_ID,
            secret: settings.VECTORIZER_API_SECRET,
            url: settings.VECTORIZER_API_URL,
          }
        : undefined,
    allowLocalWebhooks: settings.ALLOW_LOCAL_WEBHOOKS === 'true',
    modelPath: settings.MODEL_PATH ? resolve(settings.MODEL_PATH) : undefined,
    workers: settings.WORKERS,
    processorSeconds: {
      job: settings.JOB_PROCESSOR_SECONDS,
      guest: settings.GUEST_PROCESSOR_SECONDS,
      network: settings.NETWORK_PROCESSOR_SECONDS,
      account: settings.ACCOUNT_PROCESSOR_SECONDS,
    },
    storage: {
      networkBytes: settings.STORAGE_NETWORK_MB * MB,
      guestsBytes: settings.STORAGE_GUESTS_MB * MB,
      needsVerifiedAddress: settings.SMTP_URL !== undefined || isPublicSite(settings.PUBLIC_URL),
      planBytes: Object.fromEntries(
        PLAN_IDS.map((plan, index) => [plan, settings.STORAGE_PLANS_MB[index]! * MB]),
      ) as Record<PlanId, number>,
      cacheBytes: settings.STORAGE_CACHE_MB * MB,
      totalBytes: settings.STORAGE_TOTAL_MB && settings.STORAGE_TOTAL_MB * MB,
    },
    traces: settings.OTEL_EXPORTER_OTLP_ENDPOINT && {
      endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
      serviceName: settings.OTEL_SERVICE_NAME,
      share: settings.OTEL_TRACES_SAMPLER_ARG,
    },
    logLevel: settings.LOG_LEVEL,
  };
}

function toS3(settings: z.infer<typeof Environment>): S3Settings | undefined {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_FORCE_PATH_STYLE } = settings;
  if (!S3_BUCKET) return undefined;
  return {
    endpoint: settings.S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: settings.S3_REGION,
    prefix: settings.S3_PREFIX,
    credentials:
      S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY
        ? { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
        : undefined,
    // A service of one's own has seldom a host name for each bucket.
    forcePathStyle: S3_FORCE_PATH_STYLE ? S3_FORCE_PATH_STYLE === 'true' : settings.S3_ENDPOINT !== undefined,
  };
}

/** Returns the origin of the pages: `PUBLIC_URL`, or this machine, without a slash at the end. */
export function siteOrigin({ publicUrl, host, port }: Config): string {
  if (publicUrl) return publicUrl.origin;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Returns `data` at the root of the repository: three folders up from `src` and from the built `dist`. */
function defaultDataDir(): string {
  return fileURLToPath(new URL('../../../data', import.meta.url));
}

/** Trusted by default, because a public address needs a proxy for its HTTPS, and that is on this machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** True for an IP address, and for a range like `10.0.0.0/8`. */
function isAddressRange(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128);
}

/** True for a site with an https address that is not this machine's. */
function isPublicSite(publicUrl: URL | undefined): boolean {
  return publicUrl?.protocol === 'https:' && !THIS_MACHINE.includes(publicUrl.hostname);
}

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

function isBareUrl(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return protocols.includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
}

/** Returns true for an address that is encrypted or on this machine, because every request carries the keys. */
function isApiUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isHere = THIS_MACHINE.includes(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && isHere)) && !username && !password && !search && !hash;
}
