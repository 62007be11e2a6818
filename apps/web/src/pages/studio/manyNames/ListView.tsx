/** A list of names on its way to files: its rows, the piece of one of them, and how they are made. */
import { sayBatchCost } from '@markwright/contract/words';
import { Button, SegmentedControl, Switch } from '@markwright/controls';
import { hasAccount, SvgNodeView, usePorts, useTraceStatus } from '@markwright/editor';
import {
  type Composition,
  elementIdOf,
  saveComposition,
  textElementId,
  textsOf,
  toElementName,
} from '@markwright/scene';
import { isWrong } from '@markwright/scene/rows';
import type { Layout } from '@markwright/scene/sheets';
import { useMemo, useState } from 'react';
import { drawNear } from '../../../studioHost/drawNear.ts';
import { type FittedRow, useFits, usePieceScene } from '../../../studioHost/useFits.ts';
import { Problem } from '../../../ui/Problem.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { ContactSheet } from './ContactSheet.tsx';
import { GangEditor } from './GangEditor.tsx';
import { JigEditor } from './JigEditor.tsx';
import { ListSettings } from './ListSettings.tsx';
import {
  type Binding,
  type NameList,
  pictureArtworks,
  rowsOf,
  withApproval,
  withApprovals,
  withCell,
  withHeader,
  withoutRow,
} from './list.ts';
import { pictureTakers, toNamedDesigns } from './pieceAssets.ts';
import { RowsQuestion } from './RowsQuestion.tsx';
import { RowTable } from './RowTable.tsx';
import { Setting } from './Setting.tsx';
import type { useBatches } from './useBatch.ts';
import { useFormat } from './useFormat.ts';
import { useLayout } from './useLayout.ts';
import { usePictureFeatures } from './usePictureFeatures.ts';
import type { ListPictures } from './usePictures.ts';
import { usePieces } from './usePieces.ts';
import { useRowsQuestion } from './useRowsQuestion.ts';

interface ListViewProps {
  readonly composition: Composition;
  readonly list: NameList;
  readonly batches: ReturnType<typeof useBatches>;
  readonly pictures: ListPictures;
  onChange(list: NameList | undefined): void;
  /** Closes the dialog. */
  onClose(): void;
}

export function ListView({ composition, list, batches, pictures, onChange, onClose }: ListViewProps) {
  const { table } = list;
  const trace = useTraceStatus();
  const state = usePieces(composition, list, pictures);
  const { assets, binding, pick, setPick, fit } = state;
  const features = usePictureFeatures(binding.composition, assets);
  const rows = useMemo(() => rowsOf(table), [table]);
  const { fits, problem } = useFits(binding, rows, { assets, features }, fit);
  const [selection, setSelection] = useState(0);
  const place = Math.min(selection, rows.length - 1);
  const scene = usePieceScene(binding, rows[place], assets, fit);
  const [view, setView] = useState<View>('table');
  const [leavesOut, setLeavesOut] = useState(false);
  const format = useFormat(composition);
  const { openPlaces } = list;
  const wrong = fits.filter(({ findings }, i) => !openPlaces.has(i) && findings.some(isWrong)).length;
  const pieces = rows.length - openPlaces.size - (leavesOut ? wrong : 0);
  const isChecked = fits.length === rows.length;
  const pieceFits = useMadePieces(fits, isChecked, openPlaces);
  const sheets = useLayout(binding.composition, assets, format.choice.format, pieceFits);
  const { layout, plan, fault } = sheets;
  const isTraced = (trace === 'traced' || trace === 'none') && !pictures.progress;
  const isBound = binding.templates.length > 0;
  const canBeSent = isBound && isChecked && pieces > 0 && (wrong === 0 || leavesOut) && isTraced;
  const isReady = canBeSent && (layout === undefined || plan !== undefined);
  const request = () => ({
    ...{ composition: saveComposition(binding.composition), ...format.choice, ...cellsOf(binding, list) },
    ...{ fit: { ...fit, widthsMm: { ...fit.widthsMm } }, leaveOutWrong: leavesOut },
    pictures: toNamedDesigns(binding, list, pictures.pictures),
  });
  const make = () => void batches.make({ ...request(), ...(layout && { layout: toRequest(layout) }) });
  const otherIds = useMemo(() => findOthers(binding.composition, pieceFits.fits), [binding, pieceFits]);
  const action = sayMake(pieces, layout && (plan?.sheets.length ?? 0));
  const cost = sayBatchCost(plan ? pieceFits.fits.length : pieces, plan?.sheets.length);
  const { question, ask } = useRowsQuestion({
    pieces: pieceFits,
    otherIds,
    action,
    cost,
    make,
    onLook: setSelection,
    onClose,
  });
  return (
    <>
      <div className="mt-4 grid grow content-start gap-4 lg:grid-cols-[minmax(0,1fr)_280px] lg:grid-rows-[auto_minmax(0,1fr)]">
        <div className={`grid min-h-0 content-start gap-3 ${sheets.kind === 'pieces' ? 'lg:row-span-2' : ''}`}>
          <div className="flex flex-wrap items-end gap-3">
            {pick && <PickFields composition={composition} pick={pick} columns={table.columns} onPick={setPick} />}
            <Setting label="First row is a header">
              <Switch
                label="First row is a header"
                checked={table.hasHeader}
                disabled={list.cells.rows.length < 2}
                onChange={(hasHeader) => onChange(withHeader(list, hasHeader))}
              />
            </Setting>
            <SegmentedControl label="View" value={view} options={VIEWS} onChange={(value) => setView(value)} />
            <Button size="sm" onClick={() => onChange(undefined)} className="ml-auto">
              Another list
            </Button>
          </div>
          {!isBound || binding.missing.length > 0 ? (
            <ListFault missing={binding.missing} />
          ) : view === 'table' ? (
            <RowTable
              {...{ table, binding, pictures, fits, openPlaces }}
              selection={place}
              isShort={sheets.kind !== 'pieces'}
              onSelect={setSelection}
              onEdit={(row, column, cell) => onChange(withCell(list, row, column, cell))}
              onRemove={(row) => onChange(withoutRow(list, row))}
            />
          ) : (
            <ContactSheet
              {...{ binding, rows, assets, fit, fits, openPlaces }}
              selection={place}
              onSelect={setSelection}
              onApprove={(row, isApproved) => onChange(withApproval(list, row, isApproved))}
              onApproveAll={(areApproved) => onChange(withApprovals(list, areApproved))}
            />
          )}
        </div>
        {/* Above the list on a phone, and beside it where there is room. */}
        <figure
          aria-label={`Row ${place + 1} on the product`}
          className="flex flex-col rounded-control bg-bone p-2 max-lg:-order-1"
        >
          <div className="grid h-36 place-items-center overflow-hidden lg:h-56 [&>svg]:h-full [&>svg]:w-full">
            {scene && <SvgNodeView node={drawNear(scene)} />}
          </div>
          <figcaption className="mt-1 text-center text-graphite text-xs">Row {place + 1}</figcaption>
        </figure>
        <ListSettings {...{ composition, list, pictures, pieces: state, sheets, format }} />
        {sheets.kind !== 'pieces' && (
          <div className="border-line border-t pt-4 lg:col-start-1 lg:row-start-2">
            {sheets.kind === 'jig' ? (
              <JigEditor jig={sheets.jig} frame={sheets.frame} onChange={sheets.setJig} />
            ) : (
              <GangEditor
                gang={sheets.gang}
                plan={plan}
                boxes={pieceFits.fits.map(({ box }) => box)}
                rowNumbers={pieceFits.rowNumbers}
                onChange={sheets.setGang}
              />
            )}
          </div>
        )}
      </div>
      {/* In sight also where the list is longer than the window. */}
      <div className="-mx-4 sm:-mx-6 -mb-4 sm:-mb-6 sticky bottom-0 mt-4 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-line border-t bg-paper px-4 py-3 sm:px-6">
        <Problem className="basis-full">{problem ?? fault ?? batches.problem}</Problem>
        {wrong > 0 && (
          <Setting label={`Leave out ${wrong === 1 ? '1 row' : `${wrong} rows`} that cannot be made`}>
            <Switch label="Leave out rows that cannot be made" checked={leavesOut} onChange={setLeavesOut} />
          </Setting>
        )}
        <p className="text-graphite text-sm" role="status">
          {!isChecked
            ? `Checking ${fits.length} of ${rows.length}…`
            : layout && !plan
              ? fault === undefined && 'Placing the pieces…'
              : cost}
        </p>
        <div className="flex gap-2">
          <ProofButton canBeSent={canBeSent} {...{ batches, request }} />
          <Button
            variant="primary"
            size="lg"
            disabled={!isReady || batches.pending === 'proof'}
            isBusy={batches.pending === 'batch'}
            onClick={ask}
          >
            {action}
          </Button>
        </div>
      </div>
      {question && <RowsQuestion question={question} composition={binding.composition} />}
    </>
  );
}

/** Returns the columns that the texts use, and the rows that are not approved, as the calls take them. */
const cellsOf = ({ columns }: Binding, { table, openPlaces }: NameList) => ({
  columns: columns.map((column) => table.columns[column]!),
  rows: table.rows.map((cells) => columns.map((column) => cells[column]!)),
  ...(openPlaces.size > 0 && { leaveOut: [...openPlaces].map((open) => open + 1).sort((a, b) => a - b) }),
});

interface ProofButtonProps {
  readonly batches: ReturnType<typeof useBatches>;
  readonly canBeSent: boolean;
  request(): Parameters<ReturnType<typeof useBatches>['saveProof']>[0];
}

/** Downloads what the customer signs. It is free, and asks nothing: findings are for the maker. */
function ProofButton({ batches: { pending, saveProof }, canBeSent, request }: ProofButtonProps) {
  const ports = usePorts();
  return (
    <Button
      size="lg"
      icon="download"
      title="A PDF of the pieces for the customer to sign. Free."
      disabled={!canBeSent || pending === 'batch'}
      isBusy={pending === 'proof'}
      onClick={() => hasAccount(ports, 'production') && void saveProof(request())}
    >
      Proof PDF
    </Button>
  );
}

type View = 'table' | 'pieces';
const VIEWS: readonly { readonly value: View; readonly label: string }[] = [
  { value: 'table', label: 'Table' },
  { value: 'pieces', label: 'Contact sheet' },
];

/** `Make 24 files`, `Make 2 sheets` */
function sayMake(pieces: number, sheets: number | undefined): string {
  if (sheets === 0) return 'Make sheets';
  const [count, noun] = sheets === undefined ? [pieces, 'file'] : [sheets, 'sheet'];
  return `Make ${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The fits of the rows that are made, once all are there: nothing is placed before. */
function useMadePieces(fits: readonly FittedRow[], isChecked: boolean, openPlaces: ReadonlySet<number>) {
  return useMemo(() => {
    const rows = isChecked
      ? fits.flatMap((row, i) => (openPlaces.has(i) || row.findings.some(isWrong) ? [] : [{ row, number: i + 1 }]))
      : [];
    return { fits: rows.map(({ row }) => row), rowNumbers: rows.map(({ number }) => number) };
  }, [fits, isChecked, openPlaces]);
}

/** Returns a layout as the call takes it: lists that can be changed. */
const toRequest = (layout: Layout) =>
  layout.kind === 'jig' ? { ...layout, brokenSlots: [...layout.brokenSlots] } : layout;

/** Returns the ids of the artworks whose picture on the stage no piece has. */
function findOthers(composition: Composition, fits: readonly FittedRow[]): ReadonlySet<string> {
  const columns = new Set(
    fits.flatMap(({ findings }) =>
      findings.flatMap((finding) => (finding.kind === 'stagePicture' ? finding.column : [])),
    ),
  );
  const takers = pictureTakers(composition).filter(({ pictureColumn }) => !columns.has(pictureColumn!));
  return new Set(takers.map(elementIdOf));
}

/** Names the columns that texts ask for and the list lacks, or asks for the column of pictures. */
function ListFault({ missing }: Pick<Binding, 'missing'>) {
  if (missing.length === 0) {
    return (
      <p role="status" className="text-graphite text-sm">
        Choose the column that names the pictures.
      </p>
    );
  }
  return (
    <Problem>
      The list has no column {missing.map((name) => `“${name}”`).join(', ')}. Change the name in the braces, or the
      list.
    </Problem>
  );
}

interface PickFieldsProps {
  readonly composition: Composition;
  readonly pick: { readonly elementId: string; readonly column: string };
  readonly columns: readonly string[];
  onPick(pick: PickFieldsProps['pick']): void;
}

/** As the id of an element: rows fill no text. */
const NO_TEXT = '';

/** The choice of the text and of the column, where there is one. */
function PickFields({ composition, pick, columns, onPick }: PickFieldsProps) {
  const texts = textsOf(composition).filter(({ isHidden }) => !isHidden);
  const canPassBy = pictureArtworks(composition).length > 0;
  const options = texts.map((text) => ({ value: textElementId(text.id) as string, label: toElementName(text) }));
  return (
    <>
      {texts.length + Number(canPassBy) > 1 && texts.length > 0 && (
        <SelectField
          label="Text"
          value={pick.elementId}
          options={canPassBy ? [...options, { value: NO_TEXT, label: 'None: pictures alone' }] : options}
          onChange={(elementId) => onPick({ ...pick, elementId })}
          className="w-44"
          selectClassName="w-full"
        />
      )}
      {columns.length > 1 && pick.elementId !== NO_TEXT && (
        <SelectField
          label="Column with the names"
          value={pick.column}
          options={columns.map((name) => ({ value: name, label: name }))}
          onChange={(column) => onPick({ ...pick, column })}
          className="w-44"
          selectClassName="w-full"
        />
      )}
    </>
  );
}
