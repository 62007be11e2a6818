import { describe, expect, it } from 'vitest';
import { signedArea } from '../geometry/measure.ts';
import { tightBounds, writeContours } from '../geometry/pathData.ts';
import { readLightBurn } from './readLightBurn.ts';

const read = (content: string, attrs = '') =>
  readLightBurn(new TextEncoder().encode(`<LightBurnProject FormatVersion="1" ${attrs}>${content}</LightBurnProject>`));
const layer = (content: string, attrs?: string) => read(content, attrs).layers[0]!.outlines;
const d = (content: string, attrs?: string) => layer(content, attrs).map((contours) => writeContours(contours, 4));
const path = (vertices: string, primitives: string, attrs = '') =>
  `<Shape Type="Path" CutIndex="2" ${attrs}><XForm>1 0 0 1 0 0</XForm><VertList>${vertices}</VertList><PrimList>${primitives}</PrimList></Shape>`;

describe('readLightBurn', () => {
  it('reads lines and curves, with y turned down', () => {
    expect(d(path('V1 2c0x1c1x1V5 2c0x6c0y3c1x1V5 6c0x1c1x6c1y5', 'L0 1B1 2L2 0'))).toEqual([
      'M1 -2L5 -2C6 -3 6 -5 5 -6L1 -2Z',
    ]);
    expect(d(path('V1 2c0x1c1x1V5 2c0x1c1x1V5 6c0x1c1x1', 'LineClosed'))).toEqual(['M1 -2L5 -2L5 -6Z']);
    expect(d(path('V1 2c0x1c1x1V5 2c0x1c1x1', 'LineOpen'))).toEqual(['M1 -2L5 -2']);
  });

  it('reads several loops in one shape, and marks and handles that LightBurn itself writes', () => {
    // An S marks a smooth point; an exponent, a handle with no y, and a handle before its mark occur.
    const vertices = 'V0 0c0x1c1x1V9 0c0x1c0y6.8664551e-05c1x56c1y55SV9 9c0x1c1x24V2 2c0x1c1x1V4 2c0x1c1x1V4 4c0x1c1x1';
    expect(d(path(vertices, 'L0 1L1 2L2 0L3 4L4 5L5 3'))).toEqual(['M0 0L9 0L9 -9L0 0ZM2 -2L4 -2L4 -4L2 -2Z']);
  });

  it('counts each point of a halftone once: 110,000 triangles are read', { tags: ['detail'] }, () => {
    const count = 110_000;
    const indices = Array.from({ length: count }, (_, i) => 3 * i);
    const vertices = indices.map((i) => `V${i % 1000} 0c0x1c1x1V${(i % 1000) + 1} 0c0x1c1x1V${i % 1000} 1c0x1c1x1`);
    const primitives = indices.map((i) => `L${i} ${i + 1}L${i + 1} ${i + 2}L${i + 2} ${i}`);
    expect(layer(path(vertices.join(''), primitives.join('')))[0]).toHaveLength(count);
  });

  it('resolves lists that shapes share, groups and transforms', () => {
    const member = '<Shape Type="Path" CutIndex="2" VertID="7" PrimID="1"><XForm>0 1 -1 0 10 0</XForm></Shape>';
    expect(
      d(
        `${path('V0 0c0x1c1x1V4 0c0x1c1x1V4 2c0x1c1x1', 'LineClosed', 'VertID="7" PrimID="1"')}` +
          `<Shape Type="Group"><XForm>2 0 0 2 0 0</XForm><Children>${member}</Children></Shape>`,
      ),
    ).toEqual(['M0 0L4 0L4 -2Z', 'M20 0L20 -8L16 -8Z']);
  });

  it('reads rectangles about their middle, ellipses, and texts by the outlines they are saved with', () => {
    const shapes = layer(
      '<Shape Type="Rect" CutIndex="0" W="10" H="6" Cr="2"><XForm>1 0 0 1 20 10</XForm></Shape>' +
        '<Shape Type="Ellipse" CutIndex="0" Rx="3" Ry="2"><XForm>1 0 0 1 5 5</XForm></Shape>' +
        '<Shape Type="Text" CutIndex="0" HasBackupPath="1"><BackupPath Type="Path" CutIndex="0"><XForm>1 0 0 1 5 5</XForm>' +
        '<VertList>V0 0c0x1c1x1V1 0c0x1c1x1V1 1c0x1c1x1</VertList><PrimList>LineClosed</PrimList></BackupPath>' +
        '<XForm>1 0 0 1 5 5</XForm></Shape>',
    );
    const boxes = shapes.map((contours) =>
      Object.values(tightBounds(contours)).map((value) => Math.round(value * 1e4) / 1e4),
    );
    expect(boxes).toEqual([
      [15, -13, 25, -7],
      [2, -7, 8, -3],
      [5, -6, 6, -5],
    ]);
    expect(Math.abs(signedArea(shapes[0]![0]!))).toBeCloseTo(60 - (4 - Math.PI) * 4, 3);
  });

  it('names layers as LightBurn does, in the order of their priority', () => {
    const setting = (type: string, index: number, priority: number) =>
      `<CutSetting type="${type}"><index Value="${index}"/><priority Value="${priority}"/></CutSetting>`;
    const rectangles = [2, 0, 30, 1].map((slot) => `<Shape Type="Rect" CutIndex="${slot}" W="5" H="5"/>`).join('');
    const file = read(
      setting('Cut', 2, 2) + setting('Scan', 0, 0) + setting('Cut', 1, 1) + setting('Tool', 30, 3) + rectangles,
    );
    expect(file.layers.map(({ name, color, operation }) => [name, color, operation])).toEqual([
      ['C00', '#000000', 'engrave'],
      ['C01', '#0000ff', 'score'],
      ['C02', '#ff0000', 'cut'],
      ['T1', '#f36926', 'guide'],
    ]);
  });

  it('reads the older format, and files that mirror an axis', () => {
    const old =
      '<Shape Type="Path" CutIndex="2"><XForm>1 0 0 1 0 0</XForm><V vx="0" vy="0" c0x="1" c0y="2"/><V vx="5" vy="0" c1x="4" c1y="2"/>' +
      '<P T="B" p0="0" p1="1"/><P T="L" p0="1" p1="0"/></Shape>';
    expect(d(old)).toEqual(['M0 0C1 -2 4 -2 5 0L0 0Z']);
    expect(d(path('V1 2V5 2V5 6', 'LineClosed'), 'MirrorX="True" MirrorY="True"')).toEqual(['M-1 2L-5 2L-5 6Z']);
  });

  it('names what it leaves out', () => {
    const file = read('<Shape Type="Bitmap" CutIndex="0" W="5" H="5"/><Shape Type="Rect" CutIndex="0" W="5" H="5"/>');
    expect(file.droppedKinds).toEqual(['Bitmap']);
  });
});
