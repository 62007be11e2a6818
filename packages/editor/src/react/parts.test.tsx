import { NumberField, Select } from '@markwright/controls';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Ports } from '../core/ports.ts';
import { createHost, designPlacement, openEditor, textElement } from '../core/testHost.ts';
import { EditorProvider, usePlaceWords } from './EditorProvider.tsx';
import { DesignPanel } from './panels/DesignPanel.tsx';
import { ElementList } from './panels/ElementList.tsx';
import { ExportBar } from './panels/ExportBar.tsx';
import { LivePreview } from './panels/LivePreview.tsx';
import { MachinePicker } from './panels/MachinePicker.tsx';
import { PreviewPanel } from './panels/PreviewPanel.tsx';
import { ProductPicker } from './panels/ProductPicker.tsx';
import { StatusLine } from './panels/StatusLine.tsx';
import { TextPanel } from './panels/TextPanel.tsx';
import { Canvas } from './stage/Canvas.tsx';

const full = { design: designPlacement(), texts: [textElement('a')] };

function html(part: ReactNode, composition: Parameters<typeof openEditor>[0] = full): string {
  const editor = openEditor(composition);
  editor.select('design');
  return renderToString(
    <EditorProvider editor={editor} ports={createHost().ports}>
      {part}
    </EditorProvider>,
  );
}

test('a call that waits on a busy server says its place in the queue', () => {
  const PlaceWords = () => <p>{usePlaceWords() ?? 'no queue'}</p>;
  const wordsAt = (placeInLine: Ports['placeInLine']) =>
    renderToString(
      <EditorProvider editor={openEditor(full)} ports={{ ...createHost().ports, placeInLine }}>
        <PlaceWords />
      </EditorProvider>,
    );
  expect(wordsAt({ read: () => 3, subscribe: () => () => undefined })).toContain('Number 3 in line');
  expect(wordsAt({ read: () => 0, subscribe: () => () => undefined })).toContain('no queue');
  expect(wordsAt(undefined)).toContain('no queue');
});

test('the stage can be reached and is described', () => {
  expect(html(<Canvas />)).toContain('role="application"');
  expect(html(<Canvas />)).toContain('Units: mm');
});

test('the list of elements says name, true size and place', () => {
  const list = html(<ElementList />);
  expect(list).toContain('Design logo.png, 50.8 × 25.4 mm at 0, 0');
  expect(list).toContain('Text Ava, ');
  expect(list).toContain('Machine area, 101.6 × 50.8 mm');
});

test('the preview panel has every control of step 4', () => {
  const panel = html(<PreviewPanel />);
  for (const label of [
    'Rotate product 90°',
    'Product rotation',
    'Zoom in',
    'Zoom out',
    'Reset zoom to 1:1',
    'Design Position',
    'Text Position',
    'Move left',
    'Center',
    'Flip',
    'Rotate 90°',
    'Remove',
    'Width in millimeters',
    'Opacity in percent',
  ]) {
    expect(panel).toContain(label);
  }
});

test('asks for a product before upload and text', () => {
  for (const part of [<DesignPanel key="d" />, <TextPanel key="t" />]) {
    expect(html(part, { productId: undefined })).toContain('Product Selection Required');
  }
  expect(html(<DesignPanel />, {})).toContain('Choose a file');
  expect(html(<TextPanel />)).toContain('Brushed Tumbler');
  expect(html(<TextPanel />, { machine: 'uv' })).toContain('Custom color');
});

test('renders machines, products, exports, status and preview', () => {
  expect(html(<MachinePicker />)).toContain('Engraving &amp; Cutting');
  expect(html(<ProductPicker />)).toContain('Loading products');
  expect(html(<ExportBar />)).toContain('Export for Production Processing');
  expect(html(<StatusLine />)).toContain('101.6 × 50.8 mm');
  expect(html(<LivePreview />)).toContain('Live Preview');
  expect(html(<LivePreview />, {})).not.toContain('Live Preview');
});

test('a number field has its value text, and a select its value', () => {
  const number = renderToString(
    <NumberField label="Width" value={-0.04} min={-1} max={1} decimals={1} unit="mm" onCommit={() => undefined} />,
  );
  expect(number).toContain('value="0.0"');
  expect(number).toContain('aria-valuenow="0"');
  const select = renderToString(
    <Select
      label="Mode"
      value="b"
      options={[
        { value: 'a', label: 'One' },
        { value: 'b', label: 'Two' },
      ]}
      onChange={() => undefined}
    />,
  );
  expect(select).toMatch(/role="combobox"[^>]*>.*Two/);
});

test('the machine area has its numbers while it is selected', () => {
  const editor = openEditor(full);
  editor.select('machineArea');
  const panel = renderToString(
    <EditorProvider editor={editor} ports={createHost().ports}>
      <PreviewPanel />
    </EditorProvider>,
  );
  expect(panel).toMatch(/aria-label="Machine area width in millimeters"[^>]*aria-valuetext="101.6 mm"/);
  for (const label of ['Machine area height', 'Horizontal offset', 'Vertical offset', 'Reset to print area']) {
    expect(panel).toContain(label);
  }
});
