/** Reads compose files of the kit, for tests that run their services as processes of this machine. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Settings } from './operator.ts';

export interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Settings;
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
}

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url)), 'utf8');

/** Returns the services of a file with its variables filled in. Throws where one is missing that has to be set. */
export function readCompose(name: string, variables: Settings): Record<string, Service> {
  const text = read(name).replace(/\$\$|\$\{(\w+):([-?])([^}]*)\}/g, (all, variable, kind, rest) => {
    if (all === '$$') return '$';
    if (variables[variable]) return variables[variable];
    if (kind === '?') throw new Error(`${name} needs ${variable}.`);
    return rest;
  });
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
  // A value that is left out is an empty one.
  const toText = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([setting, value]) => [setting, value ?? '']));
  return Object.fromEntries(
    Object.entries(services).map(([service, parts]) => [
      service,
      { ...parts, ...(parts.environment && { environment: toText(parts.environment) }) },
    ]),
  );
}

/** Returns the names of the variables in a file of variables. */
export const readVariables = (name: string): string[] =>
  [...read(name).matchAll(/^(\w+)=/gm)].map(([, variable]) => variable!);

/** Returns the services that one stands on and the service itself, each after those that it stands on. */
export function listBefore(services: Readonly<Record<string, Service>>, name: string): string[] {
  const service = services[name];
  if (!service) throw new Error(`There is no service ${name}.`);
  const { depends_on: below = [] } = service;
  const names = Array.isArray(below) ? below : Object.keys(below);
  return [...new Set([...names.flatMap((one: string) => listBefore(services, one)), name])];
}
