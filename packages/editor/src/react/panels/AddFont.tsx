/** The foot of the chooser of fonts: adds a font file, once the person has confirmed the right to use it. */
import { Button, HiddenFileInput } from '@markwright/controls';
import { useEffect, useId, useRef, useState } from 'react';
import { type OwnFont, type OwnFonts, sentenceOf } from '../../core/ports.ts';

interface Props {
  readonly ports: OwnFonts;
  /** False for somebody without an account. */
  readonly canAdd: boolean;
  /** The file that was chosen or dropped. */
  readonly file: File | undefined;
  onFile(file: File | undefined): void;
  onAdd(font: OwnFont): void;
}

const link = 'underline focus-visible:outline-2 focus-visible:outline-accent';

export function AddFont({ ports, canAdd, file, onFile, onAdd }: Props) {
  const input = useRef<HTMLInputElement>(null);
  if (!canAdd) {
    return (
      <p className="border-line border-t px-3 py-2 text-graphite text-xs">
        <a href={ports.accountPage} className={link}>
          Sign in
        </a>{' '}
        to add fonts of your own.
      </p>
    );
  }
  if (file) return <Confirm key={`${file.name} ${file.size}`} {...{ ports, file, onFile, onAdd }} />;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t p-2">
      <HiddenFileInput ref={input} label="Font file" accept=".ttf,.otf,.woff2" onChoose={([first]) => onFile(first)} />
      <Button size="sm" icon="upload" onClick={() => input.current?.click()}>
        Add your font
      </Button>
      <a href={ports.page} className={`${link} ml-auto py-1.5 text-graphite text-xs`}>
        Manage
      </a>
      <span className="w-full text-graphite text-xs">TTF, OTF or WOFF2, up to 5 MB. Or drop it here.</span>
    </div>
  );
}

function Confirm({ ports, file, onFile, onAdd }: Omit<Props, 'canAdd'> & { readonly file: File }) {
  const [hasRight, setHasRight] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const box = useRef<HTMLInputElement>(null);
  const problemId = useId();
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const add = async () => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      const font = await ports.add(file);
      onFile(undefined);
      onAdd(font);
    } catch (error) {
      setProblem(sentenceOf(error, 'The font could not be added. Please try again.'));
      setIsBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-2 border-line border-t bg-ink/3 p-3">
      <p className="truncate font-medium text-sm">{file.name}</p>
      <label className="flex min-h-6 items-start gap-2 text-sm">
        <input
          ref={box}
          type="checkbox"
          checked={hasRight}
          onChange={(event) => setHasRight(event.target.checked)}
          aria-describedby={problem ? problemId : undefined}
          className="mt-0.5 size-4 shrink-0 accent-(--accent)"
        />
        {ports.rightSentence}
      </label>
      <p id={problemId} role="alert" className="text-danger text-xs empty:hidden">
        {problem}
      </p>
      <div className="flex gap-2">
        <Button variant="primary" size="sm" disabled={!hasRight} isBusy={isBusy} onClick={() => void add()}>
          Add this font
        </Button>
        <Button size="sm" variant="ghost" disabled={isBusy} onClick={() => onFile(undefined)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
