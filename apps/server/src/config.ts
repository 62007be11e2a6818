/** The settings, all optional. The only file that reads the environment. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absolute. Files and signing key, shared by all servers of a `databaseUrl`; and the embedded database. */
  readonly dataDir: string;
  /** Where people reach the server, when that is not `http://host:port`. */
  readonly publicUrl: URL | undefined;
  /** A PostgreSQL to use instead of the embedded one. */
  readonly databaseUrl: string | undefined;
  readonly adminEmail: string;
  /** Without it, one is made at the first start and printed once. */
  readonly adminPassword: string | undefined;
  readonly supportEmail: string;
  /** Child processes for heavy work. */
  readonly workers: number;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/** Says every problem of the settings at once, a sentence each. */
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

const email = (name: string) =>
  z.email({ error: (issue) => `${name} must be an e-mail address, not "${issue.input}".` });

const Environment = z.object({
  PORT: wholeNumber('PORT', 0, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]{1,255}$/, { error: (issue) => `HOST must be an address or a host name, not "${issue.input}".` })
    .default('127.0.0.1'),
  DATA_DIR: z.string().optional(),
  PUBLIC_URL: z
    .string()
    .refine((text) => isBareUrl(text, ['http:', 'https:']), {
      error: (issue) => `PUBLIC_URL must be like https://studio.example.com, without a path, not "${issue.input}".`,
    })
    .transform((text) => new URL(text))
    .optional(),
  DATABASE_URL: z
    .string()
    .refine((text) => URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol), {
      error: 'DATABASE_URL must begin with postgres:// or postgresql://.', // its text may hold a password
    })
    .optional(),
  ADMIN_EMAIL: email('ADMIN_EMAIL').default('admin@markwright.local'),
  ADMIN_PASSWORD: z
    .string()
    .min(6, 'ADMIN_PASSWORD must have at least 6 characters.')
    .max(128, 'ADMIN_PASSWORD must have at most 128 characters.')
    .optional(),
  SUPPORT_EMAIL: email('SUPPORT_EMAIL').default('support@markwright.local'),
  WORKERS: wholeNumber('WORKERS', 1, 64).default(Math.max(2, Math.min(4, availableParallelism()))),
  LOG_LEVEL: z
    .enum(logLevels, { error: (issue) => `LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${issue.input}".` })
    .default('info'),
});

/** Reads the settings. An empty value counts as none. Throws a ConfigError that names every problem. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => issue.message));
  const settings = parsed.data;
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: settings.DATA_DIR ? resolve(settings.DATA_DIR) : defaultDataDir(),
    publicUrl: settings.PUBLIC_URL,
    databaseUrl: settings.DATABASE_URL,
    adminEmail: settings.ADMIN_EMAIL,
    adminPassword: settings.ADMIN_PASSWORD,
    supportEmail: settings.SUPPORT_EMAIL,
    workers: settings.WORKERS,
    logLevel: settings.LOG_LEVEL,
  };
}

/** `data` at the root of the repository: three folders up from here, whether from `src` or from the built `dist`. */
function defaultDataDir(): string {
  return fileURLToPath(new URL('../../../data', import.meta.url));
}

function isBareUrl(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return protocols.includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
}
