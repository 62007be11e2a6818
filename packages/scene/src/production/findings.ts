/** Collects the findings of a job, one for each kind and element. */
import type { Point } from '../geometry/matrix.ts';
import type { JobFinding } from './job.ts';

export interface FindingList {
  add(kind: JobFinding['kind'], elementId: string, lengthMm: number, places: readonly (readonly Point[])[]): void;
  /** Returns the findings in the order in which the first of each was added. */
  list(): readonly JobFinding[];
}

export function createFindings(): FindingList {
  const findings = new Map<string, { -readonly [Key in keyof JobFinding]: JobFinding[Key] } & { places: Place[] }>();
  return {
    add(kind, elementId, lengthMm, places) {
      const key = `${kind} ${elementId}`;
      let finding = findings.get(key);
      if (!finding) {
        finding = { kind, elementId, count: 0, lengthMm: 0, places: [] };
        findings.set(key, finding);
      }
      finding.count++;
      finding.lengthMm += lengthMm;
      finding.places.push(...places);
    },
    list: () => [...findings.values()],
  };
}

type Place = readonly Point[];
