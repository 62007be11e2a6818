import { Button, Icon } from '@markwright/controls';
import { useCopy } from './clipboard.ts';

/** Code with a copy button. `name` labels it for screen readers. */
export function CodeBlock({ name, code }: { name: string; code: string }) {
  const { isCopied, copy } = useCopy('Select the code and copy it with your keyboard.');
  return (
    <div className="min-w-0 overflow-clip rounded-control border border-line bg-paper">
      <div className="flex items-center justify-between gap-3 border-line border-b py-1.5 pr-1.5 pl-3">
        <span className="caption text-graphite">{name}</span>
        <Button size="sm" aria-label={isCopied ? undefined : `Copy: ${name}`} onClick={() => void copy(code)}>
          {isCopied ? (
            <>
              <Icon name="check" className="size-4 text-success" /> Copied!
            </>
          ) : (
            <>
              <Icon name="duplicate" className="size-4" /> Copy
            </>
          )}
        </Button>
        <span role="status" className="sr-only">
          {isCopied ? 'Copied!' : ''}
        </span>
      </div>
      <section
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: code wider than its box must scroll by keys, too
        tabIndex={0}
        className="overflow-x-auto focus-visible:-outline-offset-2 [scrollbar-width:thin]"
      >
        <pre className="w-fit p-3 font-mono text-xs leading-[19px] [font-variant-ligatures:none]">
          <code>{code}</code>
        </pre>
      </section>
    </div>
  );
}
