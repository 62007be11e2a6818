/** Collects the findings of a job, one for each kind, element and other element. */
import type { Point } from '../geometry/matrix.ts';
import type { JobFinding } from './job.ts';

type FindingDetails = Pick<JobFinding, 'withId' | 'areaMm2' | 'clearBy'>;

export interface FindingList {
  add(
    kind: JobFinding['kind'],
    elementId: string,
    lengthMm: number,
    places: readonly (readonly Point[])[],
    details?: FindingDetails,
  ): void;
  /** Returns the findings in the order in which the first of each was added. */
  list(): readonly JobFinding[];
}

export function createFindings(): FindingList {
  const findings = new Map<string, { -readonly [Key in keyof JobFinding]: JobFinding[Key] } & { places: Place[] }>();
  return {
    add(kind, elementId, lengthMm, places, { withId, areaMm2, clearBy } = {}) {
      const key = `${kind} ${elementId} ${withId ?? ''}`;
      let finding = findings.get(key);
      if (!finding) {
        finding = { kind, elementId, ...(withId !== undefined && { withId }), count: 0, lengthMm: 0, places: [] };
        findings.set(key, finding);
      }
      finding.count++;
      finding.lengthMm += lengthMm;
      if (areaMm2 !== undefined) finding.areaMm2 = (finding.areaMm2 ?? 0) + areaMm2;
      if (clearBy) finding.clearBy = clearBy;
      finding.places.push(...places);
    },
    list: () => [...findings.values()],
  };
}

type Place = readonly Point[];
