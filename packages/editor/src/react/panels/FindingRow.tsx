import { Button, Icon } from '@markwright/controls';
import type { Finding } from '@markwright/scene';
import type { PreflightFlow } from '../../core/preflight/preflightFlow.ts';

/** A finding in a list: what it is, with its figures, its fix, and a button that marks it on the stage. */
export function FindingRow({
  finding,
  name,
  isShown,
  flow,
}: {
  finding: Finding;
  /** Of the element that it is about. */
  name: string | undefined;
  isShown: boolean;
  flow: PreflightFlow;
}) {
  const { title, sentence, severity, fix } = finding;
  const subject = name === undefined ? title : `${title}, ${name}`;
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2 px-3 py-2.5">
      <Icon name="warning" className={`mt-0.5 size-4 ${severity === 'problem' ? 'text-danger' : 'text-graphite'}`} />
      <div className="min-w-0">
        <p className="flex items-baseline gap-2 text-sm">
          <span className="shrink-0 font-medium">{title}</span>
          <span className="min-w-0 truncate text-graphite text-xs">{name}</span>
        </p>
        <p className="mt-0.5 text-graphite text-xs">{sentence}</p>
        <div className="mt-2 flex flex-wrap gap-1.5">
          <Button
            size="sm"
            aria-pressed={isShown}
            aria-label={`Show: ${subject}`}
            onClick={() => flow.show(finding)}
            className="aria-pressed:border-accent! aria-pressed:text-accent!"
          >
            Show
          </Button>
          {fix && (
            <Button size="sm" aria-label={`${fix.label}: ${subject}`} onClick={() => flow.fix(finding)}>
              {fix.label}
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}
