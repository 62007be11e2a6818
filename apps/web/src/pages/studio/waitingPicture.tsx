/** A picture that was dropped, pasted or chosen: it is uploaded as soon as there is a product to put it on. */
import { checkDesignUpload } from '@markwright/contract/words';
import { useDesignFlow, useEditorState } from '@markwright/editor';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { toast } from '../../ui/notices.ts';

interface PictureIntake {
  /** The picture that waits for a product, with an address to show it by. */
  readonly waiting: { readonly file: File; readonly url: string } | undefined;
  /**
   * Takes the first of some files. Returns why it cannot be used, as a sentence; nothing is sent or replaced then.
   */
  take(files: readonly File[]): string | undefined;
  /** Forgets the picture that waits. */
  forget(): void;
}

const IntakeContext = createContext<PictureIntake | undefined>(undefined);

export function usePictureIntake(): PictureIntake {
  const intake = useContext(IntakeContext);
  if (!intake) throw new Error('This part of the studio needs a <PictureIntakeProvider> above it');
  return intake;
}

export function PictureIntakeProvider({ children }: { children: ReactNode }) {
  const designs = useDesignFlow();
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const [file, setFile] = useState<File>();

  const waiting = useMemo(() => file && { file, url: URL.createObjectURL(file) }, [file]);
  useEffect(() => waiting && (() => URL.revokeObjectURL(waiting.url)), [waiting]);

  useEffect(() => {
    if (!hasProduct || !file) return;
    setFile(undefined);
    void designs.upload(file);
  }, [hasProduct, file, designs]);

  const intake = useMemo(
    (): PictureIntake => ({
      waiting,
      take([first, ...others]) {
        if (!first) return undefined;
        const refusal = checkDesignUpload(first);
        if (refusal) return refusal.description;
        if (others.length > 0) {
          toast({ title: 'One picture at a time', description: `Only ${first.name} is used.` });
        }
        setFile(first);
        return undefined;
      },
      forget: () => setFile(undefined),
    }),
    [waiting],
  );
  return <IntakeContext value={intake}>{children}</IntakeContext>;
}
