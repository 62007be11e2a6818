import { VectorizeSettings } from '@markwright/contract';
import { expect, test } from 'vitest';
import { toServiceRequest } from './serviceOptions.ts';

const SMALL = { width: 800, height: 600 };
const black = {
  mode: 'preview',
  'policy.retention_days': '0',
  'input.max_pixels': '2500000',
  'processing.max_colors': '2',
  'processing.palette': '#000000 -> #000000 ~ 1.0; #FFFFFF -> #00000000 ~ 1.0;',
  'processing.shapes.min_area_px': '1',
  'output.file_format': 'svg',
  'output.svg.version': 'svg_1_1',
  'output.svg.fixed_size': 'false',
  'output.draw_style': 'fill_shapes',
  'output.shape_stacking': 'cutouts',
  'output.group_by': 'color',
  'output.parameterized_shapes.flatten': 'true',
  'output.curves.allowed.quadratic_bezier': 'false',
  'output.curves.allowed.cubic_bezier': 'true',
  'output.curves.allowed.circular_arc': 'false',
  'output.curves.allowed.elliptical_arc': 'false',
  'output.curves.line_fit_tolerance': '0.2',
  'output.gap_filler.enabled': 'false',
};
const { 'processing.palette': _, ...unpainted } = black;
const color = { ...unpainted, 'processing.max_colors': '64' };
const arcs = {
  'output.parameterized_shapes.flatten': 'false',
  'output.curves.allowed.circular_arc': 'true',
  'output.curves.allowed.elliptical_arc': 'true',
};
const lines = {
  'output.strokes.non_scaling_stroke': 'false',
  'output.strokes.stroke_width': '1',
  'output.strokes.use_override_color': 'true',
  'output.strokes.override_color': '#000000',
};
const { 'output.strokes.override_color': __, ...ownColors } = lines;

type Row = [name: string, settings: object, fields: object | undefined, color?: string, size?: typeof SMALL];
const table: Row[] = [
  ['nothing said: black', {}, black, 'grayOnWhite'],
  ['a file is made in production', { mode: 'vectorize' }, { ...black, mode: 'production' }, 'grayOnWhite'],
  [
    'stainless is one gray-blue ink',
    { colorMode: 'stainless' },
    { ...black, 'processing.palette': '#000000 -> #8496a9 ~ 1.0; #FFFFFF -> #00000000 ~ 1.0;' },
    'grayOnWhite',
  ],
  ['color', { colorMode: 'color' }, color, 'asIs'],
  ['a palette', { colorMode: 'color', paletteSize: 7 }, { ...color, 'processing.max_colors': '7' }, 'asIs'],
  ['grayscale is sent without color', { colorMode: 'grayscale' }, color, 'gray'],
  ['a printer takes arcs', { colorMode: 'color', machineType: 'uv' }, { ...color, ...arcs }, 'asIs'],
  ['sublimation too', { colorMode: 'color', machineType: 'sublimation' }, { ...color, ...arcs }, 'asIs'],
  ['a laser does not', { colorMode: 'color', machineType: 'laser' }, color, 'asIs'],
  ['stacked', { shapeStacking: 'stacked' }, { ...black, 'output.shape_stacking': 'stacked' }, 'grayOnWhite'],
  ['each shape alone', { groupBy: 'shape' }, { ...black, 'output.group_by': 'none' }, 'grayOnWhite'],
  ['no groups', { groupBy: 'none' }, { ...black, 'output.group_by': 'none' }, 'grayOnWhite'],
  [
    'outlines of shapes in one ink',
    { drawStyle: 'stroke_shapes' },
    { ...black, ...lines, 'output.draw_style': 'stroke_shapes' },
    'grayOnWhite',
  ],
  [
    'outlines of shapes in their colors',
    { drawStyle: 'stroke_shapes', colorMode: 'color' },
    { ...color, ...ownColors, 'output.strokes.use_override_color': 'false', 'output.draw_style': 'stroke_shapes' },
    'asIs',
  ],
  [
    'each edge once, in black',
    { drawStyle: 'stroke_edges', colorMode: 'color' },
    { ...color, ...lines, 'output.draw_style': 'stroke_edges' },
    'asIs',
  ],
  ['no despeckle', { despeckle: 0 }, { ...black, 'processing.shapes.min_area_px': '0' }, 'grayOnWhite'],
  ['despeckle', { despeckle: 4 }, { ...black, 'processing.shapes.min_area_px': '16' }, 'grayOnWhite'],
  [
    'despeckle grows with the picture',
    { despeckle: 4 },
    { ...black, 'processing.shapes.min_area_px': '39.063' },
    'grayOnWhite',
    { width: 1600, height: 900 },
  ],
  [
    'as far as the service goes',
    { despeckle: 10 },
    { ...black, 'processing.shapes.min_area_px': '100' },
    'grayOnWhite',
    { width: 3000, height: 800 },
  ],
  ['exact', { simplify: 0 }, { ...black, 'output.curves.line_fit_tolerance': '0.08' }, 'grayOnWhite'],
  ['simpler', { simplify: 75 }, { ...black, 'output.curves.line_fit_tolerance': '0.566' }, 'grayOnWhite'],
  ['high quality', { quality: 'high' }, { ...black, 'output.curves.line_fit_tolerance': '0.067' }, 'grayOnWhite'],
  [
    'low and simplest',
    { quality: 'low', simplify: 100 },
    { ...black, 'output.curves.line_fit_tolerance': '1' },
    'grayOnWhite',
  ],
  ['the background of one ink is clear anyway', { cutout: true }, black, 'grayOnWhite'],
  ['cannot cut a background away in colors', { cutout: true, colorMode: 'color' }, undefined],
  ['nor in grays', { cutout: true, colorMode: 'grayscale' }, undefined],
  ['cannot find the lines a laser follows', { laserMode: 'outline' }, undefined],
  ['nor make symmetry exact', { regular: true }, undefined],
  ['nor halftones', { drawStyle: 'stipple' }, undefined],
  ['nor the middle of drawn ones', { drawStyle: 'centerline' }, undefined],
  [
    'colors painted otherwise and left out',
    {
      colorMode: 'color',
      palette: [
        { color: '#ff0000', paint: '#00ff00' },
        { color: '#ffffff', paint: null },
      ],
    },
    { ...color, 'processing.palette': '#ff0000 -> #00ff00 ~ 0.05; #ffffff -> #00000000 ~ 0.05;' },
    'asIs',
  ],
];

test.each(table)('%s', (_name, settings, fields, color, size = SMALL) => {
  const request = toServiceRequest(VectorizeSettings.parse(settings), size);
  expect(request).toEqual(fields && { fields, picture: { color } });
});

test('takes light out of the picture, where that is asked for', () => {
  const request = (light?: string) => toServiceRequest(VectorizeSettings.parse({ light }), SMALL)?.picture;
  expect(request('automatic')).toEqual({ color: 'grayOnWhite', dropLight: 'auto' });
  expect(request('out')).toEqual({ color: 'grayOnWhite', dropLight: true });
  expect(request('kept')).toEqual(request());
});

test('applies a threshold to the picture', () => {
  const request = toServiceRequest(VectorizeSettings.parse({ threshold: 30 }), SMALL);
  expect(request).toEqual({ fields: black, picture: { color: 'grayOnWhite', threshold: 30 } });
});
