/** What preflight says of the pieces of a list: what every piece has, and what single rows have. */
import type { Finding, FindingKind } from '@markwright/scene';
import type { FittedRow } from '../../../studioHost/useFits.ts';

/** The findings of the pieces that are made. */
export interface OpenFindings {
  readonly everyRow: readonly Finding[];
  readonly rows: readonly RowFindings[];
}

interface RowFindings {
  /** From 1. */
  readonly rowNumber: number;
  /** The words of the row, as they stand on its piece. */
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** The checks that each piece has for itself. The others are measured, on the stage, and hold for all pieces. */
const OF_PIECES: ReadonlySet<FindingKind> = new Set([
  ...(['outside', 'missingLetters', 'smallText', 'longArc', 'translucent'] as const),
  ...(['badCode', 'smallCode', 'quietZone', 'mirroredCode', 'lightCode'] as const),
]);

const keyOf = ({ elementId, kind }: Finding): string => `${elementId} ${kind}`;

/**
 * Gathers the findings of the stage and of the pieces that are made. What all pieces have is said once. Cost: linear.
 */
export function gatherFindings(
  stage: readonly Finding[],
  fits: readonly FittedRow[],
  rowNumbers: readonly number[],
): OpenFindings {
  const counts = new Map<string, number>();
  for (const { preflight } of fits) {
    for (const finding of preflight) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  }
  const isOfAll = (finding: Finding) => fits.length > 1 && counts.get(keyOf(finding)) === fits.length;
  const rows = fits.flatMap(({ preflight, texts }, i): RowFindings[] => {
    const findings = preflight.filter((finding) => !isOfAll(finding));
    const text = texts.map((entry) => entry.text.replaceAll('\n', ' ')).join(' · ');
    return findings.length > 0 ? [{ rowNumber: rowNumbers[i]!, text, findings }] : [];
  });
  return {
    everyRow: [...stage.filter(({ kind }) => !OF_PIECES.has(kind)), ...(fits[0]?.preflight.filter(isOfAll) ?? [])],
    rows,
  };
}

export const hasFindings = ({ everyRow, rows }: OpenFindings): boolean => everyRow.length + rows.length > 0;
