/** The dialog for a blank of one's own: a picture, a size, a material, and it lies on the stage. */
import type { Company, CompanyProduct, Product } from '@markwright/contract/schemas';
import { checkUpload, messages } from '@markwright/contract/words';
import { Button, HiddenFileInput, Icon } from '@markwright/controls';
import { useEditor, useEditorState } from '@markwright/editor';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type DeviceBlank, isDeviceBlank, readDeviceBlank } from '../../../products/deviceBlanks.ts';
import { COMPANY } from '../../../products/shownProducts.ts';
import { messageOf } from '../../../request.ts';
import type { BlankPicture } from '../../../studioHost/blank/messages.ts';
import { openBlank } from '../../../studioHost/blank/openBlank.ts';
import { Modal } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/notices.ts';
import { useFileDrop } from '../../../ui/useFileDrop.ts';
import { rememberProduct } from '../recentProducts.ts';
import { BlankFields } from './BlankFields.tsx';
import { BlankStage } from './BlankStage.tsx';
import { CompanyBlank } from './CompanyBlank.tsx';
import { type BlankDraft, emptyDraft, isConvex, type Place, planBlank } from './draft.ts';
import { forgetBlank, saveInCompany, saveOnDevice } from './saveBlank.ts';

export interface BlankDialogProps {
  readonly isOpen: boolean;
  /** The blank to change; absent for a new one. */
  readonly product: Product | undefined;
  readonly isSignedIn: boolean;
  onClose(): void;
}

export default function BlankDialog(props: BlankDialogProps) {
  const { product } = props;
  if (product && !isDeviceBlank(product.productId)) {
    return <CompanyBlank {...props} product={product as CompanyProduct} />;
  }
  return <OwnBlank {...props} />;
}

function OwnBlank({ isOpen, product, isSignedIn, onClose }: BlankDialogProps) {
  const machine = useEditorState((state) => state.composition.machine);
  const [draft, setDraft] = useState<BlankDraft>(() => emptyDraft(machine));
  const [before, setBefore] = useState<DeviceBlank>();
  const [file, setFile] = useState<Blob>();
  const change = (part: Partial<BlankDraft>) => setDraft((now) => ({ ...now, ...part }));

  useEffect(() => {
    if (!product) return;
    let isCurrent = true;
    void readDeviceBlank(product.id).then((blank) => {
      if (!isCurrent || !blank) return;
      setBefore(blank);
      setDraft((now) => ({ ...now, ...(blank.draft as Partial<BlankDraft>) }));
      setFile(blank.source);
    });
    return () => {
      isCurrent = false;
    };
  }, [product]);

  const take = ([first]: readonly File[]) => {
    if (!first) return;
    const refusal = checkUpload(first);
    if (refusal) return toast({ ...refusal, variant: 'destructive' });
    setFile(first);
    change({ places: [], edges: 'found', ignoresGauge: false });
  };
  const { isOver, dropProps } = useFileDrop((data) => take([...data.files]));
  return (
    <Modal
      isOpen={isOpen}
      size="entry"
      title={before ? 'Edit this blank' : 'My blank'}
      description="A picture of it and its size: files come out at true size."
      onClose={onClose}
    >
      <div {...dropProps} className={`mt-4 ${isOver ? 'rounded-card outline-2 outline-accent outline-offset-4' : ''}`}>
        {file ? (
          <Entry {...{ file, draft, before, isSignedIn, onClose }} onChange={change} onTake={take} />
        ) : (
          !product && <Begin isOver={isOver} onTake={take} />
        )}
      </div>
    </Modal>
  );
}

function Begin({ isOver, onTake }: { isOver: boolean; onTake(files: readonly File[]): void }) {
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  return (
    <div
      className={`grid min-h-64 place-items-center rounded-card border border-dashed px-4 py-8 text-center ${isOver ? 'border-accent bg-accent-soft' : 'border-edge'}`}
    >
      <div className="grid max-w-[44ch] justify-items-center gap-3">
        <Icon name="image" className="size-8 text-graphite" />
        <p className="font-semibold text-lg">
          <span className="pointer-coarse:hidden">Drop a picture of your blank</span>
          <span className="hidden pointer-coarse:inline">Take a picture of your blank</span>
        </p>
        <p className="text-graphite text-sm">
          From straight above or straight in front, on a plain background. A bank card or a ruler beside it gives the
          size by itself.
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button
            variant="primary"
            size="lg"
            icon="image"
            className="hidden pointer-coarse:inline-flex"
            onClick={() => camera.current?.click()}
          >
            Take a photo
          </Button>
          <Button
            variant="primary"
            size="lg"
            icon="upload"
            className="pointer-coarse:border pointer-coarse:border-line pointer-coarse:bg-paper pointer-coarse:text-ink"
            onClick={() => picker.current?.click()}
          >
            Choose a picture
          </Button>
        </div>
        <HiddenFileInput ref={picker} label="Picture of the blank" accept="image/*" onChoose={onTake} />
        <HiddenFileInput
          ref={camera}
          label="Photo of the blank"
          accept="image/*"
          capture="environment"
          onChoose={onTake}
        />
      </div>
    </div>
  );
}

interface EntryProps {
  readonly file: Blob;
  readonly draft: BlankDraft;
  readonly before: DeviceBlank | undefined;
  readonly isSignedIn: boolean;
  onChange(part: Partial<BlankDraft>): void;
  onTake(files: readonly File[]): void;
  onClose(): void;
}

function Entry({ file, draft, before, isSignedIn, onChange, onTake, onClose }: EntryProps) {
  const { reading, url, hasFailed } = useReading(file, draft);
  const result = useMemo(() => reading && planBlank(reading, draft), [reading, draft]);
  const [hasTried, setHasTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const save = useSave({ before, isSignedIn, onClose });

  // Where nothing tells the edges, they are set by hand.
  const isUnknown = reading !== undefined && !reading.outline && draft.edges === 'found';
  useEffect(() => {
    if (isUnknown) onChange({ edges: 'pulled' });
  });
  const isPulled = draft.edges === 'pulled';
  // The size is what nobody but the person knows.
  const isReady = reading !== undefined;
  useEffect(() => {
    if (isReady && !matchMedia('(pointer: coarse)').matches) focusField(form.current, 'width');
  }, [isReady]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!reading || !result) return;
    if (isPulled) return onChange({ edges: 'cut', places: [] });
    if (!result.plan) {
      setHasTried(true);
      focusField(form.current, result.field ?? 'width');
      return;
    }
    await save.act({ plan: result.plan, reading, draft, source: file });
  }

  const refusal =
    hasTried && result && !result.plan ? { field: result.field ?? 'width', problem: result.problem } : undefined;
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <HiddenFileInput ref={picker} label="Picture of the blank" accept="image/*" onChoose={onTake} />
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-[minmax(0,1fr)_316px]">
        <div className="grid content-start gap-2 [--blank-height:min(460px,52dvh)] max-sm:[--blank-height:34dvh]">
          {reading ? (
            <BlankStage url={url!} {...{ reading, draft, onChange }} plan={result?.plan} />
          ) : (
            <div
              className={`grid h-(--blank-height) place-items-center rounded-card bg-bone text-graphite text-sm ${hasFailed ? '' : 'animate-pulse'}`}
            >
              {hasFailed ? (
                <p role="alert" className="max-w-[36ch] text-center text-danger">
                  This browser cannot read the picture. Take a JPG or PNG.
                </p>
              ) : (
                <p role="status">Looking for the outline…</p>
              )}
            </div>
          )}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button size="sm" icon="refresh" onClick={() => picker.current?.click()}>
              Another picture
            </Button>
            {reading && <PictureNote {...{ reading, draft, onChange }} />}
          </div>
        </div>
        {reading && result && <BlankFields {...{ reading, draft, result, refusal, onChange }} />}
      </div>
      {reading && (
        <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center gap-2 border-line border-t bg-paper px-4 py-3 sm:-mx-6 sm:-mb-6 sm:px-6">
          {before && <Delete blank={before} onClose={onClose} />}
          {save.choice}
          <div className="ml-auto flex gap-2">
            <Button size="lg" variant="ghost" onClick={onClose} className="max-sm:hidden">
              Cancel
            </Button>
            <Button
              type="submit"
              size="lg"
              variant="primary"
              isBusy={save.isBusy}
              disabled={isPulled && !isConvex(draft.corners)}
            >
              {isPulled ? 'Cut it out' : save.label}
            </Button>
          </div>
        </div>
      )}
    </form>
  );
}

/** What was done with the picture, and the way back from it. */
function PictureNote({ reading, draft, onChange }: Pick<EntryProps, 'draft' | 'onChange'> & { reading: BlankPicture }) {
  const { outline, turnDeg, gauge } = reading;
  const link = (text: string, part: Partial<BlankDraft>) => (
    <Button
      size="sm"
      variant="ghost"
      className="-mx-2 underline underline-offset-4"
      onClick={() => onChange({ ...part, places: [] })}
    >
      {text}
    </Button>
  );
  if (draft.edges === 'pulled') {
    return <p className="text-graphite text-xs">Pull the corners to those of the blank, then cut it out.</p>;
  }
  if (draft.edges === 'cut') return link('Pull the corners again', { edges: 'pulled' });
  if (!outline) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-graphite text-xs">
      <span>
        {draft.keepsBackground ? 'Background kept.' : 'Background removed.'}
        {Math.abs(turnDeg) >= 0.3 && ` Straightened by ${Math.abs(turnDeg).toFixed(1)}°.`}
      </span>
      {draft.keepsBackground
        ? link('Remove the background', { keepsBackground: false })
        : link('Keep the background', { keepsBackground: true })}
      {link('Set the edges by hand', { edges: 'pulled' })}
      {gauge && link(`The ${gauge} is the blank`, { ignoresGauge: true })}
    </p>
  );
}

function Delete({ blank, onClose }: { blank: DeviceBlank; onClose(): void }) {
  const client = useQueryClient();
  const editor = useEditor();
  const [isAsked, setIsAsked] = useState(false);
  async function remove(): Promise<void> {
    if (editor.getState().composition.productId === blank.id) {
      editor.dispatch({ type: 'setProduct', productId: undefined });
    }
    await forgetBlank(client, blank.id);
    onClose();
    toast({ title: 'Blank deleted', description: `${blank.product.name} is gone from this device.` });
  }
  return isAsked ? (
    <Button variant="danger" size="lg" icon="trash" onClick={() => void remove()}>
      Delete it for good
    </Button>
  ) : (
    <Button variant="danger" size="lg" icon="trash" onClick={() => setIsAsked(true)}>
      Delete
    </Button>
  );
}

/** Saves where the person keeps blanks, and puts the product on the stage. */
function useSave({ before, isSignedIn, onClose }: Pick<EntryProps, 'before' | 'isSignedIn' | 'onClose'>) {
  const client = useQueryClient();
  const editor = useEditor();
  const [isBusy, setIsBusy] = useState(false);
  const [isForCustomers, setIsForCustomers] = useState(false);
  const { data: company } = useQuery<Company>({ queryKey: COMPANY, enabled: isSignedIn });
  const isOptIn = isSignedIn && company?.customProductsEnabled === false;

  async function act(blank: Omit<Parameters<typeof saveOnDevice>[1], 'before'>): Promise<void> {
    setIsBusy(true);
    try {
      const productId = await keep({ ...blank, before });
      editor.dispatch({ type: 'setProduct', productId });
      rememberProduct(productId);
      onClose();
    } catch (error) {
      toast({ title: messages.uploadFailed, description: messageOf(error), variant: 'destructive' });
    } finally {
      setIsBusy(false);
    }
  }
  async function keep(blank: Parameters<typeof saveOnDevice>[1]): Promise<string> {
    if (isSignedIn) return (await saveInCompany(client, blank, { isForCustomers, isOptIn })).productId;
    const { product, isKept } = await saveOnDevice(client, blank);
    if (!isKept) {
      const description = 'The browser refused to keep it. It is here until you close this page.';
      toast({ title: 'Blank not kept', description, variant: 'destructive' });
    }
    return product.productId;
  }
  const label = isOptIn ? 'Enable Custom Products and use it' : before && !isSignedIn ? 'Save' : 'Use this blank';
  const choice = isSignedIn ? (
    <label className="flex min-h-6 items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={isForCustomers}
        onChange={() => setIsForCustomers(!isForCustomers)}
        className="size-4 accent-(--accent)"
      />
      Offer it to my customers
    </label>
  ) : (
    !before && <p className="text-graphite text-xs">Kept on this device.</p>
  );
  return { act, isBusy, label, choice };
}

/** Reads a picture again whenever what it is read for changes. The last reading stays until then. */
function useReading(file: Blob, { surface, keepsBackground, ignoresGauge, edges, corners: draftCorners }: BlankDraft) {
  const isFlat = surface === 'flat';
  // Corners that are still being pulled change nothing yet.
  const cut = edges === 'found' ? undefined : JSON.stringify(edges === 'cut' ? draftCorners : []);
  const [state, setState] = useState<{ reading?: BlankPicture; url?: string; hasFailed: boolean }>({
    hasFailed: false,
  });
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...before, hasFailed: false }));
    const corners: readonly Place[] | undefined = cut === undefined ? undefined : JSON.parse(cut);
    openBlank({ file, isFlat, keepsBackground, ignoresGauge, corners }, controller.signal).then(
      (reading) => {
        if (controller.signal.aborted) return;
        setState(reading ? { reading, url: URL.createObjectURL(reading.blob), hasFailed: false } : { hasFailed: true });
      },
      () => undefined, // aborted
    );
    return () => controller.abort();
  }, [file, isFlat, keepsBackground, ignoresGauge, cut]);
  const { url } = state;
  useEffect(() => (url ? () => URL.revokeObjectURL(url) : undefined), [url]);
  return state;
}

function focusField(form: HTMLFormElement | null, name: string): void {
  form?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
}
