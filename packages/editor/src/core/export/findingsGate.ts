/** The question before a file that costs an export: whether it is to be made with what preflight finds. */
import type { Finding } from '@markwright/scene';
import { findingKey, type PreflightFlow } from '../preflight/preflightFlow.ts';

export type FindingsAnswer = 'export' | 'look' | 'cancel';
/** Asks whether a file with these findings is to be made. */
export type AskAboutFindings = (findings: readonly Finding[]) => Promise<FindingsAnswer>;

/**
 * Returns a function that resolves to true when nothing is found that the person has not accepted. It asks once about
 * each finding with its figures; `look` opens the list of findings.
 */
export function createFindingsGate(
  findPreflight: () => Pick<PreflightFlow, 'judgeNow' | 'setOpen'>,
  ask: AskAboutFindings,
): () => Promise<boolean> {
  const acceptedKeys = new Set<string>();
  const keyOf = (finding: Finding) => `${findingKey(finding)} ${finding.sentence}`;
  return async () => {
    const preflight = findPreflight();
    const findings = preflight.judgeNow().filter((finding) => !acceptedKeys.has(keyOf(finding)));
    const answer = findings.length > 0 ? await ask(findings) : 'export';
    if (answer === 'look') preflight.setOpen(true);
    if (answer !== 'export') return false;
    for (const finding of findings) acceptedKeys.add(keyOf(finding));
    return true;
  };
}
