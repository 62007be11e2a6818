/** The shop's tone curve of each material, and the test card to measure it with. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { MaterialToneCurve } from '@markwright/contract/schemas';
import { messages, TONE_CURVE } from '@markwright/contract/words';
import { Button, Field, NumberField, Select, TextArea } from '@markwright/controls';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { materialNames } from '../../../products/names.ts';
import { saveBlob } from '../../../ui/saveBlob.ts';
import { Unreadable } from '../../../ui/sections.tsx';
import { useAttempt } from '../../../ui/useAttempt.ts';
import { WithLabel } from '../../../ui/WithLabel.tsx';
import { decimalsOf, findProblem, readNumbers, sharesOf } from './toneCurveDraft.ts';

const CURVES = [siteCalls.toneCurves.list.path];

export const useToneCurves = () => useQuery<MaterialToneCurve[]>({ queryKey: CURVES, refetchOnMount: 'always' });

type Material = MaterialToneCurve['material'];

export function ToneCurves({ query }: { query: UseQueryResult<MaterialToneCurve[]> }) {
  const [material, setMaterial] = useState<Material>('slate');
  if (!query.data) {
    return (
      <Unreadable
        what="Your engraving curves could not be read."
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const entry = query.data.find((other) => other.material === material)!;
  const options = query.data.map(({ material: value, isTypical }) => ({
    value,
    label: isTypical ? materialNames[value] : `${materialNames[value]}, measured`,
  }));
  return (
    <div className="px-5 py-4">
      <WithLabel label="Material">
        <Select<Material>
          label="Material"
          value={material}
          options={options}
          onChange={setMaterial}
          className="w-64 max-w-full"
        />
      </WithLabel>
      {/* Another material or another stored curve begins a new draft. */}
      <CurveEditor key={`${material} ${entry.curve.join()}`} entry={entry} />
      <TestCard key={material} entry={entry} />
    </div>
  );
}

function CurveEditor({ entry }: { entry: MaterialToneCurve }) {
  const { material, curve: savedCurve, isTypical } = entry;
  const client = useQueryClient();
  const attempt = useAttempt();
  const [curve, setCurve] = useState(savedCurve);
  const [pasteText, setPasteText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const name = materialNames[material];
  const isChanged = curve.some((value, i) => value !== savedCurve[i]);
  const problem = findProblem(curve);
  const pasteProblem = pasteText.trim() === '' ? undefined : findProblem(readNumbers(pasteText));

  const paste = (text: string) => {
    setPasteText(text);
    const numbers = readNumbers(text);
    if (!findProblem(numbers)) setCurve(numbers);
  };
  async function run(call: () => Promise<MaterialToneCurve>, title: string, description: string) {
    setBusy(true);
    await attempt(messages.updateFailed, async () => {
      const reply = await call();
      client.setQueryData<MaterialToneCurve[]>(CURVES, (all) =>
        all?.map((other) => (other.material === material ? reply : other)),
      );
      return { title, description };
    });
    setBusy(false);
  }
  const save = () =>
    run(
      () => api.toneCurves.change({ params: { material }, body: { curve } }),
      `${name} is measured`,
      'Photographs on it are engraved by these numbers from now on.',
    );
  const reset = () =>
    run(
      () => api.toneCurves.reset({ params: { material } }),
      `${name} is typical again`,
      'Photographs on it are engraved by the numbers of a common blank.',
    );

  const decimals = decimalsOf(curve);
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-x-6 gap-y-4">
        <CurveDrawing curve={curve} name={name} />
        <div className="min-w-0 flex-[1_1_320px]">
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring form semantics and its own layout */}
          <div
            role="group"
            aria-label={`Lightness of each patch on ${name.toLowerCase()}`}
            className="grid grid-cols-[repeat(auto-fill,minmax(96px,1fr))] gap-1.5"
          >
            {curve.map((value, i) => (
              <NumberField
                key={i}
                label={`Patch ${i + 1}`}
                prefix={i + 1}
                value={value}
                min={TONE_CURVE.min}
                max={TONE_CURVE.max}
                step={decimals === 0 ? 1 : 0.01}
                decimals={decimals}
                className="w-full"
                onCommit={(next) => setCurve(curve.map((other, k) => (k === i ? next : other)))}
              />
            ))}
          </div>
          <p className="mt-2 text-graphite text-xs">
            How light each patch looks, from bare to all burnt. Any scale will do: only the steps between count.
          </p>
        </div>
      </div>
      <Field
        label="Paste 20 numbers from a scan"
        hint="Patch 1 to 20, parted by spaces, commas or lines."
        error={pasteProblem}
        className="mt-4 max-w-xl"
      >
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            value={pasteText}
            placeholder="61 66 72 79 86 94 …"
            onChange={(event) => paste(event.target.value)}
          />
        )}
      </Field>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          disabled={!isChanged || problem !== undefined}
          isBusy={isBusy}
          onClick={() => void save()}
        >
          Save the curve
        </Button>
        {isChanged && (
          <Button
            variant="ghost"
            onClick={() => {
              setCurve(savedCurve);
              setPasteText('');
            }}
          >
            Discard
          </Button>
        )}
        {!isTypical && (
          <Button disabled={isBusy} onClick={() => void reset()}>
            Use the typical curve
          </Button>
        )}
        <p
          role={problem ? 'alert' : undefined}
          className={`min-w-0 flex-[1_1_240px] text-sm ${problem ? 'text-danger' : 'text-graphite'}`}
        >
          {problem ?? (isTypical ? 'Typical: of a common blank, not measured.' : 'Measured by your shop.')}
        </p>
      </div>
    </>
  );
}

const [DRAWN_WIDTH, DRAWN_HEIGHT] = [190, 120];

/** Draws what is seen over what is burnt. The thin line is a material that shows exactly what is burnt. */
function CurveDrawing({ curve, name }: { curve: readonly number[]; name: string }) {
  const shares = sharesOf(curve);
  const toY = (share: number) => DRAWN_HEIGHT * (1 - Math.min(1.2, Math.max(-0.2, share)));
  const points = shares.map((share, i) => `${(DRAWN_WIDTH * i) / (shares.length - 1)},${toY(share).toFixed(1)}`);
  return (
    <figure className="w-[206px]">
      <svg
        role="img"
        aria-label={`Curve of ${name.toLowerCase()}: half of its contrast is seen at patch ${halfAt(shares)}.`}
        viewBox={`-8 -8 ${DRAWN_WIDTH + 16} ${DRAWN_HEIGHT + 16}`}
        className="w-full rounded-control border border-line"
      >
        <path d={`M0 ${DRAWN_HEIGHT}L${DRAWN_WIDTH} 0`} className="fill-none stroke-line" strokeWidth="1" />
        <polyline
          points={points.join(' ')}
          className="fill-none stroke-accent"
          strokeWidth="2"
          strokeLinejoin="round"
        />
      </svg>
      <figcaption className="mt-1 flex justify-between text-graphite text-xs">
        <span>Bare</span>
        <span>Burnt</span>
      </figcaption>
    </figure>
  );
}

const halfAt = (shares: readonly number[]) => shares.findIndex((share) => share >= 0.5) + 1;

/** Makes the card that the numbers are measured on. */
function TestCard({ entry }: { entry: MaterialToneCurve }) {
  const attempt = useAttempt();
  const [intervalMm, setIntervalMm] = useState(entry.intervalMm);
  const [isMaking, setMaking] = useState(false);

  async function download() {
    setMaking(true);
    await attempt(messages.requestFailed, async () => {
      const { url, filename } = await api.toneCurves.card({ query: { intervalMm } });
      const answer = await fetch(url);
      if (!answer.ok) throw new Error('The test card could not be downloaded.');
      saveBlob(await answer.blob(), filename);
      return undefined;
    });
    setMaking(false);
  }

  return (
    <div className="-mx-5 mt-5 border-line border-t px-5 pt-4">
      <h3 className="font-medium">Test card</h3>
      <p className="mt-0.5 text-graphite text-sm">
        20 patches, 102 × 28 mm. Burn it with the settings you use for photographs, pass-through on, and scan it. Type
        in the lightness of each patch.
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <WithLabel label="Line interval">
          <NumberField
            label="Line interval"
            value={intervalMm}
            min={0.05}
            max={0.25}
            step={0.01}
            decimals={3}
            unit="mm"
            className="w-28"
            onCommit={setIntervalMm}
          />
        </WithLabel>
        <Button icon="download" isBusy={isMaking} onClick={() => void download()}>
          Download the test card
        </Button>
      </div>
    </div>
  );
}
